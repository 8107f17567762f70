import type { Configuration } from '../../src/raft/configuration.ts';
import type { Entry } from '../../src/raft/entry.ts';
import type { Input } from '../../src/raft/input.ts';
import type { Output } from '../../src/raft/output.ts';
import type { RaftState } from '../../src/raft/raft-options.ts';

/** The modules of one copy of the core. */
export interface CoreModules {
  readonly raft: typeof import('../../src/raft/raft.ts');
  readonly options: typeof import('../../src/raft/raft-options.ts');
  readonly codec: typeof import('../../src/raft/configuration-codec.ts');
  readonly chain: typeof import('../../src/simulation/chain.ts');
}

const [A, B, C] = ['a', 'b', 'c'].map((nodeId, i) => ({
  nodeId,
  storeId: String(i + 1).padStart(32, '0'),
  incarnation: 1n,
  endpoint: `${nodeId}:1`,
  levels: { oldest: 1, newest: 1 },
}));

function configurationOf(...voters: (typeof A)[]): Configuration {
  const known = voters.filter((it) => it !== undefined);
  return { clusterUid: '0'.repeat(32), level: 1, voters: known, outgoing: [], learners: [] };
}

/** A core of member A whose log holds a configuration and then entries of the given terms. */
function coreOf(modules: CoreModules, kinds: readonly { term: bigint; to?: Configuration }[]) {
  const { raft, options, codec, chain } = modules;
  if (A === undefined) throw new Error('the members exist');
  const entries: Entry[] = [];
  const configurations: RaftState['configurations'][number][] = [];
  let previous: Uint8Array = new Uint8Array(16);
  for (const { term, to } of kinds) {
    const index = BigInt(entries.length + 1);
    const payload = to === undefined ? new Uint8Array(0) : codec.encodeConfiguration(to);
    const kind = to === undefined ? ('normal' as const) : ('configuration' as const);
    previous = chain.simulatedChain(previous, { index, term, kind, payload });
    entries.push({ index, term, kind, payload, chain: previous });
    if (to !== undefined) configurations.push({ index, configuration: to });
  }
  const settings = {
    ...options.DEFAULT_RAFT_OPTIONS,
    self: { nodeId: A.nodeId, storeId: A.storeId },
    epoch: 'e'.repeat(32),
    seed: 1,
    chainOf: chain.simulatedChain,
  };
  const core = new raft.Raft(settings, {
    hardState: { term: kinds.at(-1)?.term ?? 0n, votedFor: undefined, commit: 1n },
    purged: { index: 0n, term: 0n, chain: new Uint8Array(16) },
    headers: entries.map((it) => ({ ...it, bytes: it.payload.length })),
    configurations,
    applied: 1n,
    snapshot: undefined,
  });
  /** Takes an input, and everything that it stores becomes durable at once. */
  const step = (input: Input): Output => {
    const output = core.step(input);
    if (output.storeJob !== undefined) step({ kind: 'persisted', seq: output.storeJob.seq });
    return output;
  };
  return { core, step };
}

/** A read that arrives while a round is open must not be confirmed by that round. */
function readDuringRound(modules: CoreModules): string | undefined {
  if (B === undefined) return 'no members';
  const { core, step } = coreOf(modules, [{ term: 1n, to: configurationOf(A, B, C) }]);
  step({ kind: 'campaign' });
  const term = 2n;
  step({ kind: 'message', from: B, message: { kind: 'preVoteResponse', term, granted: true } });
  step({ kind: 'message', from: B, message: { kind: 'voteResponse', term, granted: true } });
  const match = core.lastIndex;
  const stream = { generation: 1n, batch: 1n };
  step({ kind: 'message', from: B, message: { kind: 'appendAccepted', term, match, ...stream } });
  const { messagesNow } = step({ kind: 'readIndex', context: 1n });
  const heartbeat = messagesNow.find(({ message }) => message.kind === 'heartbeat')?.message;
  if (heartbeat?.kind !== 'heartbeat') return 'no round was begun';
  step({ kind: 'readIndex', context: 2n });
  const { read } = heartbeat;
  const { readStates } = step({
    kind: 'message',
    from: B,
    message: { kind: 'heartbeatResponse', term, read },
  });
  const confirmed = readStates.map(({ context }) => context).join();
  return confirmed === '1' ? undefined : `reads ${confirmed} were confirmed by the first round`;
}

/** A configuration behind a snapshot that replaces the log must not come back. */
function leftoverConfiguration(modules: CoreModules): string | undefined {
  if (B === undefined) return 'no members';
  const { core, step } = coreOf(modules, [
    { term: 1n, to: configurationOf(A, B, C) },
    { term: 1n },
    { term: 1n },
    { term: 1n, to: configurationOf(A) },
  ]);
  const snapshot = {
    index: 3n,
    term: 2n,
    chain: new Uint8Array(16).fill(7),
    generation: 1n,
    configuration: configurationOf(A, B, C),
    configurationIndex: 1n,
  };
  const message = { kind: 'snapshot', term: 2n, snapshot } as const;
  const { storeJob } = step({ kind: 'message', from: B, message });
  if (storeJob?.installSnapshot === undefined) return 'the snapshot is not installed';
  step({ kind: 'installed', snapshot });
  const count = core.configuration?.voters.length;
  return count === 3 ? undefined : `the configuration of ${count} voters is in force again`;
}

/**
 * BC-27: uncommitted entries 18 to 22 of term 3 lie in the way of a snapshot to 20 of term 5. They
 * go, one installation is enough, and the entry 21 of the leader follows.
 */
function conflictingSuffix(modules: CoreModules): string | undefined {
  if (B === undefined) return 'no members';
  const old = Array.from({ length: 16 }, () => ({ term: 1n }));
  const own = Array.from({ length: 5 }, () => ({ term: 3n }));
  const first = { term: 1n, to: configurationOf(A, B, C) };
  const { core, step } = coreOf(modules, [first, ...old, ...own]);
  const lastIndex = (): bigint => core.lastIndex;
  if (lastIndex() !== 22n) return `the log ends at ${lastIndex()}`;
  const chain = new Uint8Array(16).fill(7);
  const position = { index: 20n, term: 5n, chain, generation: 1n };
  const snapshot = { ...position, configuration: configurationOf(A, B, C), configurationIndex: 1n };
  const message = { kind: 'snapshot', term: 5n, snapshot } as const;
  step({ kind: 'message', from: B, message });
  step({ kind: 'installed', snapshot });
  if (lastIndex() !== 20n) return `the log ends at ${lastIndex()} after the snapshot`;
  const again = step({ kind: 'message', from: B, message });
  if (again.storeJob?.installSnapshot !== undefined) return 'the snapshot is installed twice';
  const entries = [{ term: 5n, kind: 'normal' as const, payload: Uint8Array.of(1) }];
  const append = { prevIndex: 20n, prevTerm: 5n, prevChain: chain, commit: 21n, entries };
  const stream = { generation: 1n, batch: 1n };
  const { messagesAfter } = core.step({
    kind: 'message',
    from: B,
    message: { kind: 'append', term: 5n, ...append, ...stream },
  });
  const answer = messagesAfter[0]?.message;
  const isTaken = answer?.kind === 'appendAccepted' && answer.match === 21n;
  return isTaken ? undefined : 'the entry behind the snapshot is not accepted';
}

/** Schedules for what random seeds hardly reach. Each says what is wrong, or nothing. */
export const DIRECTED_SCHEDULES = { readDuringRound, leftoverConfiguration, conflictingSuffix };

/** Name of a schedule. */
export type DirectedSchedule = keyof typeof DIRECTED_SCHEDULES;
