import { TestAuthority } from '@nervix/testkit';
import { expect, test, vi } from 'vitest';
import type { CredentialBundle } from '../../src/transport/credentials.ts';
import { eventually } from '../support/processes/eventually.ts';
import { progress, startCluster, surviving } from '../support/processes/fixture.ts';
import { TestProcess } from '../support/transport-fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const HOUR_MS = 3_600_000;
const authority = new TestAuthority();
const foreign = new TestAuthority('another authority');

interface CertificateChanges {
  readonly clusterId?: string;
  readonly validToMs?: number;
  readonly issuer?: TestAuthority;
}

/** A certificate of a node that is reached under its name in the cluster. */
function certificateOf(nodeId: string, changes: CertificateChanges = {}): CredentialBundle {
  const { clusterId = 'registers', issuer = authority, ...rest } = changes;
  const uri = `nervix://cluster/${clusterId}/node/${nodeId}`;
  return issuer.leaf({ names: [uri, `${nodeId}.test`, '127.0.0.1'], ...rest });
}

const foreignCertificate = certificateOf('n6', { issuer: foreign });

interface Stranger {
  /** The node that its certificate is for. */
  readonly certified: string;
  readonly tls: CredentialBundle;
  /** The node that it says it is. */
  readonly claimed?: string;
  readonly clusterId?: string;
  readonly nowMs?: () => number;
  readonly reason: RegExp;
}

const strangers: readonly (readonly [what: string, stranger: () => Stranger])[] = [
  [
    'the certificate of another node',
    () => ({
      certified: 'n2',
      tls: certificateOf('n2'),
      claimed: 'n9',
      reason: /^n9: node 'n9' presented the certificate of node 'n2'; give each node its own/,
    }),
  ],
  [
    'a certificate of another cluster',
    () => ({
      certified: 'n8',
      tls: certificateOf('n8', { clusterId: 'blue' }),
      clusterId: 'blue',
      reason: /^n8: clusterMismatch: the certificate of node 'n8' is for cluster 'blue', not 're/,
    }),
  ],
  [
    'an expired certificate',
    () => ({
      certified: 'n7',
      tls: certificateOf('n7', { validToMs: Date.now() - HOUR_MS }),
      // Its own clock is late, or it would not have started.
      nowMs: () => Date.now() - 2 * HOUR_MS,
      reason: /^n7: the certificate of node 'n7' has expired; give it a valid one of an authority/,
    }),
  ],
  [
    'a certificate of a foreign authority',
    () => ({
      certified: 'n6',
      // It trusts the authority of the cluster, which does not trust its own.
      tls: { ...foreignCertificate, ca: foreignCertificate.ca + authority.certificate },
      reason: /^n6: the certificate of node 'n6' is not vouched for \(\w+\); give it a valid one/,
    }),
  ],
];

test('CS-140 CS-330 members of a cluster over TLS refuse whoever does not belong to it', async () => {
  const made = await startCluster({ tls: (nodeId) => certificateOf(nodeId) });
  const [first] = made.processes;
  if (first === undefined) throw new Error('there is a first process');
  await surviving(made, async (clients) => {
    for (const [what, make] of strangers) {
      const {
        certified,
        tls,
        claimed = certified,
        clusterId = 'registers',
        nowMs,
        reason,
      } = make();
      const other = await TestProcess.start(certified, {
        tls,
        identity: { clusterId },
        ...(nowMs === undefined ? {} : { nowMs }),
      });
      other.identity = { ...other.identity, nodeId: claimed };
      other.transport.setContacts([first.endpoint]);
      const isNamed = async () => (await first.refusals()).some((it) => reason.test(it));
      try {
        await eventually(isNamed, what, 5_000);
      } catch (error) {
        const seen = [...new Set(await first.refusals())];
        throw new Error(`${String(error)}: ${seen.join('\n')}`, { cause: error });
      }
      await eventually(() => other.refusals.length > 0, `the reason at the side of ${what}`);
      await other.transport.close();
      await progress(clients);
    }
    const { voters = [], learners = [] } = (await first.status()) ?? {};
    expect([...voters, ...learners].sort()).toEqual(['n1', 'n2', 'n3']);
  });
});

test('CS-146 CS-330 credentials of running members change, in time and too late', async () => {
  const made = await startCluster({ tls: (nodeId) => certificateOf(nodeId) });
  await surviving(made, async (clients) => {
    for (const { number, nodeId } of made.processes) {
      const links = made.linksOf(number);
      const before = links.map(({ openings }) => openings);
      const victim = made.process(number);
      await victim.tell({ op: 'credentials', tls: certificateOf(nodeId) });
      await eventually(
        () => links.every(({ openings }, i) => openings > (before[i] ?? 0)),
        `new connections from and to ${nodeId}`,
      );
      await progress(clients);
    }
    const late = await made.awaitFollower();
    await expect(late.tell({ op: 'credentials', tls: certificateOf('n9') })).rejects.toThrow(
      `the certificate is for node 'n9', not '${late.nodeId}'`,
    );

    const validToMs = Date.now() + 1_500;
    await late.tell({ op: 'credentials', tls: certificateOf(late.nodeId, { validToMs }) });
    const leader = await made.awaitLeader();
    await eventually(async () => {
      const refusals = await leader.refusals();
      return refusals.some((it) => it.startsWith(`${late.nodeId}: `) && /expired/i.test(it));
    }, 'the refusal of an expired certificate');
    const applied = (await late.status())?.applied;
    await progress(clients);
    expect((await late.status())?.applied).toBe(applied);
    await late.tell({ op: 'credentials', tls: certificateOf(late.nodeId) });
    await made.settled();
  });
});
