import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOf } from '../../src/replicated-state/record-keys.ts';
import type { StateRecord, TransactionRecord } from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import {
  decodeCommand,
  decodeStored,
  encodeCommand,
  encodeStored,
  type WriteCommand,
} from '../../src/replicated-state/write-command.ts';

const RUNS = Number(process.env['PROP_RUNS'] ?? 200);
const names = fc.constantFrom('a', 'b', 'c');
const owners = fc.record({ user: names, incarnation: names });

const transaction = fc.record({
  kind: fc.constant('transaction' as const),
  id: names,
  owner: owners,
  domain: names,
  state: fc.constantFrom<TransactionRecord['state']>('OPEN', 'COMMITTING', 'FAILED'),
  sourceBytes: fc.nat(),
  accepted: fc.nat(9),
  applied: fc.nat(9),
  preview: fc.constant(null),
  progress: fc.constant(null),
  error: fc.constant(null),
  createdAtMs: fc.maxSafeNat(),
  activeAtMs: fc.maxSafeNat(),
  deadlineMs: fc.maxSafeNat(),
});
const record: fc.Arbitrary<StateRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('user' as const),
    name: names,
    incarnation: names,
    passwordHash: fc.string(),
  }),
  fc.record({
    kind: fc.constant('domain' as const),
    name: names,
    placement: fc.constant('NEUTRAL' as const),
    status: fc.constantFrom('running' as const, 'stopped' as const),
    generation: fc.nat(),
    lastStart: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('model' as const),
    domain: names,
    model: names.map((name) => ({ kind: 'schema' as const, name, fields: [] })),
  }),
  transaction,
  fc.record({
    kind: fc.constant('content' as const),
    transaction: names,
    digest: names,
    bytes: fc.uint8Array({ maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('resource' as const),
    domain: names,
    name: names,
    nextVersion: fc.nat(9),
  }),
  fc.record({
    kind: fc.constant('resource_version' as const),
    domain: names,
    resource: names,
    version: fc.nat(3),
    state: fc.constantFrom('published' as const, 'completed' as const, 'failed' as const),
    archiveDigest: names,
    archiveBytes: fc.nat(),
    rootChecksum: names,
    manifestChecksum: names,
    fileCount: fc.nat(),
    totalBytes: fc.nat(),
    createdByNode: names,
    createdAtMs: fc.maxSafeNat(),
    replicas: fc.constant([]),
  }),
  fc.record({
    kind: fc.constant('resource_upload' as const),
    domain: names,
    resource: names,
    owner: owners,
    identity: names,
    digest: names,
    version: fc.nat(3),
  }),
  fc.record({ kind: fc.constant('resource_catalog' as const), domain: names }),
  fc.record({ kind: fc.constant('history' as const), retryFenceMs: fc.maxSafeNat() }),
);
const reference = fc.record({
  kind: fc.constant('reference' as const),
  id: names,
  owner: owners,
  domain: fc.option(names),
  transaction: fc.option(names),
  position: fc.option(fc.nat(9)),
  digest: fc.string(),
  outcome: fc.constant({ kind: 'completed' as const, message: 'm', alreadyExisted: false }),
  recordedAtMs: fc.maxSafeNat(),
});
const key = record.map(keyOf);
const command: fc.Arbitrary<WriteCommand> = fc.record({
  fences: fc.array(fc.record({ key, revision: fc.nat(12) }), { maxLength: 2 }),
  put: fc.array(record, { maxLength: 4 }),
  remove: fc.array(key, { maxLength: 2 }),
  reference: fc.option(reference),
});
/** A command, or a publication of everything up to some entries back. */
const step = fc.oneof(
  { weight: 4, arbitrary: command.map((value) => ({ kind: 'command' as const, value })) },
  { weight: 1, arbitrary: fc.nat(3).map((back) => ({ kind: 'publish' as const, back })) },
);

type Simple = Map<string, { revision: number; record: StateRecord }>;

/** What a command does to a map, told as plainly as possible. */
function applySimply(content: Simple, value: WriteCommand, revision: number): string {
  const { reference: ref } = value;
  if (ref !== null && content.has(keyOf(ref))) return 'recorded';
  const holds = value.fences.every(
    (fence) => (content.get(fence.key)?.revision ?? 0) === fence.revision,
  );
  if (!holds) return 'raced';
  for (const removed of value.remove) content.delete(removed);
  for (const put of [...value.put, ...(ref === null ? [] : [ref])]) {
    content.set(keyOf(put), { revision, record: put });
  }
  return 'applied';
}

function contentOf(state: ReplicatedState, keys: Iterable<string>): unknown {
  const user = ['a', 'b', 'c'].map((name) => state.user(name));
  const models = ['a', 'b', 'c'].map((name) => [...state.models(name).entries()].sort());
  return {
    user,
    models,
    resources: ['a', 'b', 'c'].map((name) => resourcesOf(state, name)),
    domains: state.domains(),
    transactions: state.transactions(),
    references: [...state.references()].map(({ id }) => id).sort(),
    fence: state.retryFenceMs,
    revisions: [...keys].sort().map((name) => [name, state.revisionOf(name)]),
  };
}

function resourcesOf({ resources }: ReplicatedState, domain: string): unknown {
  const inDomain = ['a', 'b', 'c'].map((name) => ({
    record: resources.resource(domain, name),
    versions: resources.versions(domain, name),
    uploads: ['a', 'b', 'c'].flatMap((user) =>
      ['a', 'b', 'c'].flatMap((incarnation) =>
        ['a', 'b', 'c'].map((identity) =>
          resources.upload(domain, name, { owner: { user, incarnation }, identity }),
        ),
      ),
    ),
  }));
  return { inDomain, declared: resources.declared(domain) };
}

/** A state that was given exactly these records. */
function loaded(content: Simple): ReplicatedState {
  const state = new ReplicatedState();
  for (const [name, stored] of content) state.load(name, stored);
  return state;
}

describe('random commands', () => {
  test('CP-2, CP-4: equal a simple model, published and restored', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const state = new ReplicatedState();
        const newest: Simple = new Map();
        const versions: Simple[] = [new Map()];
        const written = new Map<string, Uint8Array>();
        const keys = new Set<string>();
        let revision = 0;
        let published = 0;
        for (const each of steps) {
          if (each.kind === 'publish') {
            published = Math.max(published, versions.length - 1 - each.back);
            state.publish(BigInt(published));
          } else {
            const value = decodeCommand(encodeCommand(each.value));
            const next = revision + 1;
            const expected = applySimply(newest, value, next);
            const { result, changed } = state.apply(value, BigInt(versions.length), next);
            expect(result.kind).toBe(expected);
            if (changed.size > 0) revision = next;
            for (const [name, stored] of changed) {
              keys.add(name);
              if (stored === undefined) written.delete(name);
              else written.set(name, encodeStored(stored));
            }
            versions.push(new Map(newest));
          }
          const readable = versions[published] ?? new Map();
          expect(contentOf(state, keys)).toEqual(contentOf(loaded(readable), keys));
        }
        state.publish(BigInt(versions.length));
        const restored = new ReplicatedState();
        for (const [name, bytes] of written) restored.load(name, decodeStored(bytes));
        expect(contentOf(restored, keys)).toEqual(contentOf(state, keys));
      }),
      { numRuns: RUNS },
    );
  });

  test('equal sequences give equal states and answers', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const run = (): unknown => {
          const state = new ReplicatedState();
          const answers = commands.map(
            (value, index) => state.apply(value, BigInt(index + 1), index + 1).result,
          );
          state.publish(BigInt(commands.length));
          return [answers, contentOf(state, [])];
        };
        expect(run()).toEqual(run());
      }),
      { numRuns: RUNS },
    );
  });
});
