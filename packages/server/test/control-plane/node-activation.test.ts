import { runtimeError } from '@nervix/runtime';
import { describe, expect, test } from 'vitest';
import { keyOf } from '../../src/replicated-state/record-keys.ts';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import {
  ActivationCluster,
  domainRecords,
  type Member,
  modelRecord,
  relayRecords,
  turn,
} from '../support/activation-cluster.ts';

/** A relay on each of the members. */
const SPREAD: readonly StateRecord[] = [
  ...domainRecords(),
  ...relayRecords('a', 'n1'),
  ...relayRecords('b', 'n2'),
  ...relayRecords('c', 'n3'),
];

const APPEND: StateRecord = { kind: 'latest_begin', domain: 'd', transaction: 't' };

function cluster(...names: readonly string[]): {
  readonly cluster: ActivationCluster;
  readonly members: readonly Member[];
  readonly running: () => string;
} {
  const created = new ActivationCluster();
  const members = names.map((name) => created.start(name));
  const running = (): string =>
    [...created.members.values()]
      .map(({ name, dataPlane }) => `${name}:${dataPlane.relaysOf('d').join('')}`)
      .join(' ');
  return { cluster: created, members, running };
}

/** What a promise has come to, if to anything. */
function watched<Value>(promise: Promise<Value>): { end?: Value | Error } {
  const seen: { end?: Value | Error } = {};
  promise.then(
    (value) => {
      seen.end = value;
    },
    (error: Error) => {
      seen.end = error;
    },
  );
  return seen;
}

describe('CP-5: a node applies each revision once', () => {
  test('and nothing again that is told again', async () => {
    const { cluster: one, members } = cluster('n1');
    const [n1] = members as [Member];
    one.commit([...domainRecords(), ...relayRecords('a', 'n1')]);
    n1.apply();
    await turn();
    expect(n1.dataPlane.offered.map(({ revision }) => revision)).toEqual([1]);
    for (let round = 0; round < 3; round += 1) n1.activation.repeat();
    one.commit([APPEND]);
    n1.apply();
    await turn();
    expect(n1.dataPlane.offered, 'CP-6: a transaction forces nothing').toHaveLength(1);
    expect(await n1.activation.effects.activate('d')).toBeUndefined();
    expect(n1.dataPlane.offered).toHaveLength(1);
  });

  test('of several that are published at once only the last', async () => {
    const { cluster: one, members } = cluster('n1');
    const [n1] = members as [Member];
    one.commit([...domainRecords(), ...relayRecords('a', 'n1')]);
    one.commit(relayRecords('b', 'n1'));
    n1.apply();
    await turn();
    expect(n1.dataPlane.offered.map(({ revision }) => revision)).toEqual([2]);
  });

  test.each([0, 1, Number.MAX_SAFE_INTEGER])(
    'the first that it sees, be it %i',
    async (revision) => {
      const one = new ActivationCluster();
      const n1 = one.start('n1', (state) => {
        const records = [...domainRecords(), ...relayRecords('a', 'n1')];
        for (const record of records) state.load(keyOf(record), { revision, record });
        state.restored(revision);
      });
      await turn();
      expect(n1.dataPlane.offered.map((plan) => plan.revision)).toEqual([revision]);
      expect(await n1.activation.effects.activate('d')).toBeUndefined();
    },
  );

  test('whenever it is published, be it between two of its own steps', async () => {
    const { cluster: one, members, running } = cluster('n1');
    const [n1] = members as [Member];
    one.commit(domainRecords());
    const names = Array.from({ length: 60 }, (_, index) => `r${index}`);
    for (const [microtasks, name] of names.entries()) {
      one.commit(relayRecords(name, 'n1'));
      n1.apply();
      for (let count = 0; count < microtasks; count += 1) await Promise.resolve();
      one.commit(relayRecords(`${name}x`, 'n1'));
      n1.apply();
      await turn();
      expect(running(), `after ${microtasks} microtasks`).toContain(`${name}x`);
    }
  });

  test('one whose application fails is tried again, and what ran goes on', async () => {
    const { cluster: one, members, running } = cluster('n1');
    const [n1] = members as [Member];
    one.commit([...domainRecords(), ...relayRecords('a', 'n1')]);
    n1.apply();
    await turn();
    n1.dataPlane.onInstall = () => 'no memory';
    one.commit(relayRecords('b', 'n1'));
    n1.apply();
    const activated = watched(n1.activation.effects.activate('d'));
    await turn();
    expect(activated.end).toContain('no memory');
    expect(n1.activation.effects.failureOf('d')).toContain('no memory');
    expect([running(), n1.dataPlane.held.size]).toEqual(['n1:a', 0]);
    n1.passTime();
    await turn();
    expect(n1.dataPlane.offered.map(({ revision }) => revision)).toEqual([1, 2, 2]);
    n1.dataPlane.onInstall = () => undefined;
    n1.passTime();
    await turn();
    expect([running(), n1.activation.effects.failureOf('d')]).toEqual(['n1:ab', undefined]);
  });
});

describe('CP-9, CS-154: prepared everywhere, then ready everywhere', () => {
  test('nothing starts before everyone required is prepared', async () => {
    const { cluster: three, members, running } = cluster('n1', 'n2', 'n3');
    const [n1, n2, n3] = members as [Member, Member, Member];
    three.commit(SPREAD);
    n1.apply();
    n2.apply();
    const activated = watched(n1.activation.effects.activate('d'));
    await turn();
    expect([...n2.dataPlane.prepared.keys()]).toEqual(['d']);
    expect(running()).toBe('n1: n2: n3:');
    n3.apply();
    await turn();
    expect(running()).toBe('n1:a n2:b n3:c');
    expect(activated).toEqual({ end: undefined });
  });

  test('a target stays where it was, and a newer one satisfies it', async () => {
    const { cluster: two, members } = cluster('n1', 'n2');
    const [n1, n2] = members as [Member, Member];
    two.commit([...domainRecords(), ...relayRecords('a', 'n1')]);
    two.applyEverywhere();
    const first = watched(n1.activation.effects.activate('d'));
    await turn();
    two.commit(relayRecords('b', 'n2'));
    n1.apply();
    const second = watched(n1.activation.effects.activate('d'));
    await turn();
    expect(['end' in first, 'end' in second]).toEqual([true, false]);
    two.commit(relayRecords('c', 'n2'));
    n2.apply();
    n1.apply();
    await turn();
    expect('end' in second, 'n2 never saw the second by itself').toBe(true);
    expect(n2.dataPlane.offered.map(({ revision }) => revision)).not.toContain(2);
  });

  test('CP-8: who joins is waited for, who is started again is another', async () => {
    const { cluster: both, members, running } = cluster('n1', 'n2');
    const [n1, n2] = members as [Member, Member];
    both.commit(SPREAD);
    n1.apply();
    const activated = watched(n1.activation.effects.activate('d'));
    both.members.delete('n2');
    const again = both.start('n2');
    const n3 = new Joiner(both);
    await turn();
    expect(n2.dataPlane.plans.size, 'nothing of the former process counts').toBe(0);
    expect(again.dataPlane.prepared.size).toBe(1);
    expect(running(), 'n3 was added').toContain('n1: n2:');
    n3.arrive();
    await turn();
    expect(running()).toBe('n1:a n2:b n3:c');
    expect('end' in activated).toBe(true);
  });

  test('CP-8: what a process reported does not count for the one that follows it', async () => {
    const { cluster: three, members, running } = cluster('n1', 'n2', 'n3');
    const [n1, n2, n3] = members as [Member, Member, Member];
    three.commit(SPREAD);
    n1.apply();
    n2.apply();
    await turn();
    expect(n2.dataPlane.prepared.size).toBe(1);
    three.isOpen = false;
    const next = new Joiner(three, 'n2');
    await turn();
    // Its own first report is lost.
    three.held.splice(0);
    three.isOpen = true;
    n3.apply();
    await turn();
    expect(running()).toBe('n1: n2: n3:');
    next.arrive();
    await turn();
    expect(running()).toBe('n1:a n2:b n3:c');
  });

  test('CP-8: of whom no report has come yet holds everything', async () => {
    const { cluster: both, members, running } = cluster('n1', 'n2');
    const [n1, n2] = members as [Member, Member];
    await turn();
    both.isOpen = false;
    both.start('n3');
    await turn();
    both.held.splice(0);
    both.isOpen = true;
    both.commit(SPREAD);
    n1.apply();
    n2.apply();
    await turn();
    expect(running()).toBe('n1: n2: n3:');
    both.members.get('n3')?.apply();
    await turn();
    expect(running()).toBe('n1:a n2:b n3:c');
  });

  test('CP-8, CS-153: only failures over the whole interval take a member out', async () => {
    const { cluster: three, members, running } = cluster('n1', 'n2', 'n3');
    const [n1, n2] = members as [Member, Member];
    three.members.delete('n3');
    three.commit(SPREAD);
    three.applyEverywhere();
    const activated = watched(n1.activation.effects.activate('d'));
    three.pass(9);
    await turn();
    expect([running(), 'end' in activated]).toEqual(['n1: n2:', false]);
    three.pass(3);
    await turn();
    expect([running(), 'end' in activated]).toEqual(['n1:a n2:b', true]);
    expect(n2.dataPlane.plans.size).toBe(1);
  });

  test('CP-8: what a follower thinks of others opens and closes nothing', async () => {
    const { cluster: three, members, running } = cluster('n1', 'n2', 'n3');
    const [n1, n2, n3] = members as [Member, Member, Member];
    three.commit(SPREAD);
    n1.apply();
    n2.apply();
    for (let second = 0; second < 12; second += 1) {
      three.pass(1);
      n2.health.observe({
        ...{ node: 'n3', incarnation: n3.incarnation, outcome: 'failure' },
        ...{ isTerminating: false, atMs: three.nowMs },
      });
    }
    await turn();
    expect(running()).toBe('n1: n2: n3:');
  });

  test('a member that cannot run its part fails whoever waits, by name', async () => {
    const { cluster: two, members, running } = cluster('n1', 'n2');
    const [n1, n2] = members as [Member, Member];
    n2.dataPlane.onInstall = () => 'no memory';
    two.commit([...domainRecords(), ...relayRecords('a', 'n1'), ...relayRecords('b', 'n2')]);
    two.applyEverywhere();
    const failure = await n1.activation.effects.activate('d');
    expect(failure).toMatch(/^node 'n2': .*no memory/);
    expect(running()).toBe('n1:a n2:');
  });

  test('also where it is behind a snapshot, which knows of no removal', async () => {
    const { cluster: two, members } = cluster('n1');
    const [n1] = members as [Member];
    const wire = modelRecord('CREATE WIRE JSON SCHEMA w MODE STRICT (id INTEGER);');
    const codec = modelRecord('CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s;');
    const kept = [...domainRecords(), ...relayRecords('b', 'n2'), wire];
    const created = two.commit([...kept, codec]);
    const dropped = two.commit([], [keyOf(codec)]);
    n1.apply();
    const known = two.commands.splice(0);
    const n2 = two.start('n2', (state) => {
      for (const record of kept) state.load(keyOf(record), { revision: created, record });
      state.restored(dropped);
    });
    two.commands.push(...known);
    n2.dataPlane.onInstall = () => 'no memory';
    const activated = watched(n1.activation.effects.activate('d'));
    await turn();
    const revisions = [n1, n2].map(({ state }) => state.runtimeRevisionOf('d'));
    expect(revisions).toEqual([dropped, created]);
    expect(activated.end).toMatch(/^node 'n2': .*no memory/);
  });

  test('and what nobody may start is let go, be the data plane about to close', async () => {
    const { cluster: two, members, running } = cluster('n1', 'n2');
    const [n1, n2] = members as [Member, Member];
    two.commit([...domainRecords(), ...relayRecords('a', 'n1')]);
    two.applyEverywhere();
    await turn();
    const unseen: unknown[] = [];
    const see = (reason: unknown): void => void unseen.push(reason);
    process.on('unhandledRejection', see);
    try {
      const released: string[] = [];
      n1.dataPlane.release = (domain) => {
        released.push(domain);
        return Promise.reject(runtimeError('RUNTIME_CLOSED', {}));
      };
      n2.dataPlane.onPrepare = () => new Error('no memory');
      two.commit([...relayRecords('b', 'n1'), ...relayRecords('c', 'n2')]);
      two.applyEverywhere();
      await turn();
      expect(released).toContain('d');
      expect(unseen).toEqual([]);
      expect(running()).toBe('n1:a n2:');
    } finally {
      process.off('unhandledRejection', see);
    }
  });

  test('work that moves ends on the former owner before the new one starts it', async () => {
    const { cluster: two, members, running } = cluster('n1', 'n2');
    const [, n2] = members as [Member, Member];
    two.commit([...domainRecords(), ...relayRecords('a', 'n1')]);
    two.applyEverywhere();
    await turn();
    const seen: string[] = [];
    n2.dataPlane.onInstall = () => {
      seen.push(running());
      return undefined;
    };
    two.commit(relayRecords('a', 'n2'));
    two.applyEverywhere();
    await turn();
    expect([...seen, running()]).toEqual(['n1: n2:', 'n1: n2:a']);
  });
});

describe('reports and views that are lost, late or doubled', () => {
  test('come to the same in every order', async () => {
    const { cluster: three, members, running } = cluster('n1', 'n2', 'n3');
    const [n1] = members as [Member];
    await turn();
    three.isOpen = false;
    three.commit(SPREAD);
    three.applyEverywhere();
    const activated = watched(n1.activation.effects.activate('d'));
    for (let round = 0; round < 6 && !('end' in activated); round += 1) {
      await turn();
      three.deliver((messages) => [...messages.toReversed(), ...messages]);
    }
    await turn();
    expect([running(), 'end' in activated]).toEqual(['n1:a n2:b n3:c', true]);
  });

  test('are made good by the next', async () => {
    const { cluster: three, members, running } = cluster('n1', 'n2', 'n3');
    await turn();
    three.isOpen = false;
    three.commit(SPREAD);
    three.applyEverywhere();
    await turn();
    three.deliver(() => []);
    expect(running()).toBe('n1: n2: n3:');
    three.isOpen = true;
    for (let round = 0; round < 2; round += 1) {
      for (const { activation } of members) activation.repeat();
      await turn();
    }
    expect(running()).toBe('n1:a n2:b n3:c');
  });

  test('of a leader that was succeeded open nothing, and its commands end undecided', async () => {
    const { cluster: three, members, running } = cluster('n1', 'n2', 'n3');
    const [n1, n2, n3] = members as [Member, Member, Member];
    three.commit(SPREAD);
    n1.apply();
    n2.apply();
    const activated = watched(n1.activation.effects.activate('d'));
    await turn();
    three.leader = 'n2';
    three.term = 2n;
    for (const { activation } of members) activation.repeat();
    await turn();
    expect(activated.end).toMatchObject({ code: 'RAFT_NOT_LEADER' });
    n3.activation.receiveView({
      ...{ leader: { node: 'n1', incarnation: n1.incarnation }, term: 1n, sequence: 99 },
      ...{ required: [], startable: { revision: 99, behind: [] }, failures: [] },
    });
    n3.apply();
    expect(n3.dataPlane.plans.size).toBe(0);
    await turn();
    expect(running(), 'the successor opens it').toBe('n1:a n2:b n3:c');
  });
});

describe('CP-7: what is answered', () => {
  test('is read by every member that counts, and may be missing where none does', async () => {
    const { cluster: three, members } = cluster('n1', 'n2', 'n3');
    const [n1, n2, n3] = members as [Member, Member, Member];
    const revision = three.commit([APPEND]);
    n1.apply();
    const seen = watched(n1.activation.effects.inForce(revision, 'd'));
    n2.apply();
    await turn();
    expect('end' in seen).toBe(false);
    n3.apply();
    await turn();
    expect('end' in seen).toBe(true);
    three.members.delete('n3');
    three.pass(11);
    const next = three.commit([{ ...APPEND, transaction: 'u' }]);
    n1.apply();
    n2.apply();
    await n1.activation.effects.inForce(next, 'd');
    expect(n3.state.revision).toBe(revision);
  });

  test('a node that stops lets nobody wait', async () => {
    const { members, cluster: two } = cluster('n1', 'n2');
    const [n1] = members as [Member];
    two.commit(SPREAD);
    n1.apply();
    const activated = watched(n1.activation.effects.activate('d'));
    n1.activation.close();
    await turn();
    expect(activated.end).toMatchObject({ code: 'RAFT_CLOSED' });
  });
});

/** A member that is in the configuration before it has applied anything. */
class Joiner {
  readonly #member: Member;

  constructor(cluster: ActivationCluster, name = 'n3') {
    const known = cluster.commands.splice(0);
    this.#member = cluster.start(name);
    cluster.commands.push(...known);
  }

  arrive(): void {
    this.#member.apply();
  }
}
