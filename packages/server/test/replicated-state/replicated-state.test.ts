import type { Model } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { keyOf } from '../../src/replicated-state/record-keys.ts';
import type {
  DomainRecord,
  ReferenceRecord,
  StateRecord,
} from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import type { WriteCommand } from '../../src/replicated-state/write-command.ts';
import { identityOf } from '../support/users.ts';

function domain(name: string, generation = 0): DomainRecord {
  return {
    kind: 'domain',
    name,
    placement: 'NEUTRAL',
    status: 'stopped',
    generation,
    lastStart: null,
  };
}

function reference(id: string, message = 'done'): ReferenceRecord {
  return {
    kind: 'reference',
    id,
    owner: identityOf('ada'),
    domain: 'd',
    transaction: null,
    position: null,
    digest: 'x',
    outcome: { kind: 'completed', message, alreadyExisted: false },
    recordedAtMs: 1,
  };
}

function command(parts: Partial<WriteCommand>): WriteCommand {
  return { fences: [], put: [], remove: [], reference: null, ...parts };
}

describe('CP-2, CP-4: visibility', () => {
  test('nothing is readable before it is durable', () => {
    const state = new ReplicatedState();
    const applied = state.apply(command({ put: [domain('d')] }), 5n, 1);
    expect(applied.result).toEqual({ kind: 'applied', revision: 1 });
    expect([...applied.changed.keys()]).toEqual(['domain/d']);
    expect(state.domain('d')).toBeUndefined();
    expect(state.revisionOf('domain/d')).toBe(0);
    state.publish(4n);
    expect(state.domain('d')).toBeUndefined();
    state.publish(5n);
    expect(state.domain('d')).toEqual(domain('d'));
    expect(state.revisionOf('domain/d')).toBe(1);
  });

  test('one publication makes everything up to its index readable, in order', () => {
    const state = new ReplicatedState();
    state.apply(command({ put: [domain('d', 1)] }), 1n, 1);
    state.apply(command({ put: [domain('d', 2), domain('e')] }), 2n, 2);
    state.apply(command({ remove: ['domain/e'] }), 3n, 3);
    state.publish(2n);
    expect(state.domains()).toEqual([domain('d', 2), domain('e')]);
    state.publish(3n);
    expect(state.domains()).toEqual([domain('d', 2)]);
  });

  test('removal and writing of one key in one command leaves what was written', () => {
    const state = new ReplicatedState();
    state.apply(command({ put: [domain('d')] }), 1n, 1);
    state.apply(command({ put: [domain('d', 7)], remove: ['domain/d'] }), 2n, 2);
    state.publish(2n);
    expect(state.domain('d')?.generation).toBe(7);
  });
});

describe('fences', () => {
  test('0 demands absence, a revision demands exactly the last write', () => {
    const state = new ReplicatedState();
    const create = command({ fences: [{ key: 'domain/d', revision: 0 }], put: [domain('d')] });
    expect(state.apply(create, 1n, 1).result.kind).toBe('applied');
    state.publish(1n);
    expect(state.apply(create, 2n, 2).result).toEqual({ kind: 'raced', key: 'domain/d' });
    const change = command({ fences: [{ key: 'domain/d', revision: 1 }], put: [domain('d', 1)] });
    expect(state.apply(change, 3n, 2).result.kind).toBe('applied');
    expect(state.apply(change, 4n, 3).result.kind).toBe('raced');
    state.publish(4n);
    expect(state.revisionOf('domain/d')).toBe(2);
  });

  test('they see changes that are applied and not durable yet, removals too', () => {
    const state = new ReplicatedState();
    state.apply(command({ put: [domain('d')] }), 1n, 1);
    const absent = command({ fences: [{ key: 'domain/d', revision: 0 }] });
    expect(state.apply(absent, 2n, 2).result.kind).toBe('raced');
    state.apply(command({ remove: ['domain/d'] }), 3n, 3);
    expect(state.apply(absent, 4n, 4).result.kind).toBe('applied');
    state.publish(4n);
    expect(state.domains()).toEqual([]);
  });

  test('a raced command changes nothing, the reference neither', () => {
    const state = new ReplicatedState();
    const { result, changed } = state.apply(
      command({
        fences: [{ key: 'domain/d', revision: 3 }],
        put: [domain('d')],
        reference: reference('r'),
      }),
      1n,
      1,
    );
    state.publish(1n);
    expect([result.kind, changed.size, state.referenceCount]).toEqual(['raced', 0, 0]);
  });
});

describe('CS-92 CP-144: references', () => {
  test('the first outcome stays and its command alone has an effect', () => {
    const state = new ReplicatedState();
    state.apply(command({ put: [domain('a')], reference: reference('r') }), 1n, 1);
    const second = command({ put: [domain('b')], reference: reference('r', 'again') });
    expect(state.apply(second, 2n, 2).result).toEqual({ kind: 'recorded' });
    state.publish(2n);
    expect(state.apply(second, 3n, 2).result).toEqual({ kind: 'recorded' });
    state.publish(3n);
    expect(state.domain('b')).toBeUndefined();
    expect(state.reference('r')?.outcome.message).toBe('done');
  });

  test('a repetition is told so even when a fence of it would fail', () => {
    const state = new ReplicatedState();
    const fences = [{ key: 'domain/a', revision: 0 }];
    const create = command({ fences, put: [domain('a')], reference: reference('r') });
    state.apply(create, 1n, 1);
    expect(state.apply(create, 2n, 2).result.kind).toBe('recorded');
  });
});

test('every record has one key', () => {
  const keys = [domain('d'), reference('r'), { kind: 'history', retryFenceMs: 1 } as const].map(
    keyOf,
  );
  expect(keys).toEqual(['domain/d', 'reference/r', 'history']);
});

describe('publication', () => {
  const entry = { kind: 'relay', name: 'r', nodes: ['n1'] };
  const schema: StateRecord = {
    kind: 'model',
    domain: 'd',
    model: { kind: 'schema', name: 's', fields: [] } as unknown as Model,
  };

  function observed(): {
    readonly state: ReplicatedState;
    readonly write: (parts: Partial<WriteCommand>) => readonly string[];
    readonly told: { readonly revision: number; readonly domains: readonly string[] }[];
  } {
    const state = new ReplicatedState();
    const told: { revision: number; domains: string[] }[] = [];
    state.onPublished(({ revision, domains }) => told.push({ revision, domains: [...domains] }));
    let index = 0;
    const write = (parts: Partial<WriteCommand>): readonly string[] => {
      index += 1;
      state.apply(command(parts), BigInt(index), index);
      state.publish(BigInt(index));
      return told.at(-1)?.domains ?? [];
    };
    return { state, write, told };
  }

  test('CP-4, CP-5: a state that was never published has no revision, a fresh one has the first', () => {
    const { state, told } = observed();
    expect(state.revision).toBeUndefined();
    state.restored(0);
    expect(state.revision).toBe(0);
    expect(told).toEqual([{ revision: 0, domains: [] }]);
  });

  test('CP-6: what nodes run moves with models, schedule and status, and with nothing else', () => {
    const { state, write } = observed();
    expect(write({ put: [domain('d')] })).toEqual(['d']);
    expect(write({ put: [schema] })).toEqual(['d']);
    expect(write({ put: [{ kind: 'assignment', domain: 'd', entry }] })).toEqual(['d']);
    const moved = state.runtimeRevisionOf('d');
    expect(moved).toBe(3);
    for (const put of [
      [reference('1')],
      [{ ...domain('d'), pausedBy: 'transaction' }],
      [{ ...domain('d'), placement: 'PREFER COLOCATION' }],
      [{ kind: 'resource_catalog', domain: 'd' }, domain('d')],
      [{ kind: 'latest_begin', domain: 'd', transaction: 't' }],
      [{ kind: 'cordon', node: 'n1' }],
    ] as const) {
      expect(write({ put: put as readonly StateRecord[] })).toEqual([]);
      expect(state.runtimeRevisionOf('d')).toBe(moved);
    }
    expect(write({ put: [{ ...domain('d'), status: 'running', generation: 1 }] })).toEqual(['d']);
    expect(write({ remove: ['model/d/schema/s'] })).toEqual(['d']);
    expect(state.runtimeRevisionOf('d')).toBe(11);
    expect(write({ remove: ['domain/d', 'assignment/d/relay/r'] })).toEqual(['d']);
    expect(state.runtimeRevisionOf('d')).toBeUndefined();
  });

  test('CP-7: whoever is told reads all of one revision', () => {
    const state = new ReplicatedState();
    const seen: string[] = [];
    state.onPublished(({ revision }) =>
      seen.push(`${revision}: ${state.domains().map(({ name }) => name)} at ${state.revision}`),
    );
    state.apply(command({ put: [domain('a'), domain('b')] }), 1n, 1);
    state.apply(command({ put: [domain('c')], remove: ['domain/a'] }), 2n, 2);
    state.apply(command({ put: [domain('e')] }), 3n, 3);
    state.publish(2n);
    state.publish(3n);
    expect(seen, 'CP-4: revisions between may be left out').toEqual([
      '2: b,c at 2',
      '3: b,c,e at 3',
    ]);
  });
});

describe('CP-127, CS-94, CS-161: a decision that nobody asked for', () => {
  const put = [domain('e')];
  const decided = (term: string, revision: number): WriteCommand =>
    command({ put, decision: { term, revision } });

  test.each<readonly [string, WriteCommand, string]>([
    ['in its term and at its revision', decided('3', 1), 'applied'],
    ['in a later term', decided('2', 1), 'raced'],
    ['behind any other write', decided('3', 0), 'raced'],
  ])('%s', (_name, candidate, kind) => {
    const state = new ReplicatedState();
    state.apply(command({ put: [domain('d')] }), 1n, 1, 3n);
    expect(state.apply(candidate, 2n, 2, 3n).result.kind).toBe(kind);
    state.publish(2n);
    expect(state.domain('e') !== undefined).toBe(kind === 'applied');
  });
});
