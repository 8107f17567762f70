import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { keyOf, referenceKey } from '../../../../src/replicated-state/record-keys.ts';
import type {
  AssignmentRecord,
  CommitProgress,
  CommitStep,
  EngagementAttempt,
  ExecutionRecord,
  ReferenceRecord,
  TransactionRecord,
} from '../../../../src/replicated-state/records.ts';
import type { ReplicatedState } from '../../../../src/replicated-state/replicated-state.ts';
import type { WriteCommand } from '../../../../src/replicated-state/write-command.ts';

/** How often a pause of each level had each outcome, and how steps that held nothing ended. */
export type EngagementCounts = Record<string, number>;

const LEVELS = ['ENTITY_PAUSE', 'DOMAIN_PAUSE'] as const;
const OUTCOMES = ['REQUESTED', 'CONFIRMED', 'FAILED', 'UNCERTAIN', 'RELEASED'] as const;
const STEP_ENDS = ['DYNAMIC APPLIED', 'DYNAMIC FAILED'] as const;

/**
 * What has to be counted for a run to prove anything about pauses. A pause of a whole domain is never
 * uncertain: its record says who holds it, and whoever comes next takes it up.
 */
export const ENGAGEMENTS: readonly string[] = [
  ...LEVELS.flatMap((level) => OUTCOMES.map((outcome) => `${level} ${outcome}`)),
  ...STEP_ENDS,
].filter((name) => name !== 'DOMAIN_PAUSE UNCERTAIN');

const ORDER: readonly CommitStep['outcome'][] = ['UNATTEMPTED', 'APPLYING', 'APPLIED', 'FAILED'];

/**
 * Looks at every entry of a replicated log as it is applied first, and at the state behind it: what has to
 * be recorded before something else is, and what must never be written over.
 */
export class RecordInvariants {
  readonly counts: EngagementCounts = Object.fromEntries(ENGAGEMENTS.map((name) => [name, 0]));
  readonly #records = new Map<string, TransactionRecord | ExecutionRecord>();
  readonly #outcomes = new Map<string, ReferenceRecord['outcome']>();
  /** First owners of graph nodes, by the key of their assignment. */
  readonly #owners = new Map<string, string>();
  #index = 0;

  /** @param state behind the entry of that index */
  applied(index: number, { put, remove, reference }: WriteCommand, state: ReplicatedState): void {
    if (index <= this.#index) return;
    this.#index = index;
    for (const record of put) {
      if (record.kind === 'transaction') this.#transaction(record, put.length);
      if (record.kind === 'execution') this.#execution(record, put.length);
      if (record.kind === 'assignment') this.#assignment(record, state);
    }
    if (reference !== null) this.#reference(reference);
    this.#removed(remove);
    this.#holders(state);
  }

  #reference({ id, outcome }: ReferenceRecord): void {
    const former = this.#outcomes.get(id) ?? outcome;
    assert.deepEqual(outcome, former, 'CP-144: the first outcome of a reference stays');
    this.#outcomes.set(id, outcome);
  }

  #removed(keys: readonly string[]): void {
    const removed = new Set(keys);
    for (const [id] of this.#outcomes) {
      if (removed.has(referenceKey(id))) this.#outcomes.delete(id);
    }
    for (const [key] of this.#records) if (removed.has(key)) this.#records.delete(key);
    for (const [key] of this.#owners) if (removed.has(key)) this.#owners.delete(key);
  }

  /** PS-35: what is cordoned keeps what it has, and is given nothing. */
  #assignment(record: AssignmentRecord, state: ReplicatedState): void {
    const { kind, name, nodes } = record.entry;
    const key = keyOf(record);
    const [owner] = nodes;
    const isNew = owner !== undefined && owner !== this.#owners.get(key);
    // Listeners run everywhere, and guests are put where the simulation wants them.
    const isPlanned = kind !== 'ingestor' && kind !== 'wasm_processor';
    const isGiven = isNew && isPlanned && state.isCordoned(owner);
    assert(!isGiven, `PS-35: ${kind} '${name}' is given to ${owner}, which is cordoned`);
    if (owner === undefined) this.#owners.delete(key);
    else this.#owners.set(key, owner);
  }

  #transaction(next: TransactionRecord, written: number): void {
    const former = this.#records.get(keyOf(next));
    this.#records.set(keyOf(next), next);
    if (
      former?.kind === 'transaction' &&
      former.state !== 'OPEN' &&
      former.state !== 'COMMITTING'
    ) {
      assert.deepEqual(next, former, 'CP-41: what is finished stays so');
    }
    if (next.progress === null) return;
    const isOver = next.state !== 'COMMITTING';
    this.#progress(next.id, former?.progress ?? null, next.progress, { written, isOver });
    const isKept = next.error?.code !== 'INPUTS_CHANGED' || !isApplying(former?.progress);
    assert(isKept, `CP-98, ${next.id}: a recorded effect asks nothing of its inputs`);
  }

  /** An attempt of a command is as good as a transaction; the next one begins anew. */
  #execution(next: ExecutionRecord, written: number): void {
    const { id } = next.reference;
    const former = this.#records.get(keyOf(next));
    this.#records.set(keyOf(next), next);
    assert(!this.#outcomes.has(id), `CP-144, ${id}: what has an outcome is over`);
    const spent = former?.kind === 'execution' ? former.spent : [];
    const kept = next.spent.slice(0, spent.length);
    assert.deepEqual(kept, spent, `CP-16, ${id}: attempts are never forgotten`);
    const isSame = next.spent.length === spent.length;
    assert(isSame || !isApplying(former?.progress), `CP-16, ${id}: an effect is no failed attempt`);
    for (const { engagements } of next.spent) {
      const lasts = engagements.map(({ outcomes }) => outcomes.at(-1)?.kind);
      const isLetGo = lasts.every((last) => last === 'RELEASED' || last === 'FAILED');
      assert(isLetGo, `CP-16, ${id}: a failed attempt holds nothing`);
    }
    if (next.progress === null) return;
    const base = isSame ? (former?.progress ?? null) : null;
    this.#progress(id, base, next.progress, { written, isOver: false });
  }

  #progress(
    id: string,
    former: CommitProgress | null,
    next: CommitProgress,
    { written, isOver }: { readonly written: number; readonly isOver: boolean },
  ): void {
    if (former !== null && !isOver) {
      assert.deepEqual(next.plan, former.plan, 'CP-69: an admitted plan is frozen');
    }
    for (const [place, step] of next.steps.entries()) {
      const before = former?.steps[place];
      this.#step(before, step, id, written);
      const isBegun = isOther(before, step);
      const isInTurn = place === 0 || former?.steps[place - 1]?.outcome === 'APPLIED';
      assert(!isBegun || isInTurn, `CP-98, ${id}: a step follows the record of the one before`);
    }
  }

  #step(before: CommitStep | undefined, after: CommitStep, id: string, written: number): void {
    const step = `step ${after.first} of ${id}`;
    const from = before?.outcome ?? 'UNATTEMPTED';
    assert(ORDER.indexOf(after.outcome) >= ORDER.indexOf(from), `${step}: no way back`);
    if (from === 'APPLIED' || from === 'FAILED') {
      assert.deepEqual(after, before, `${step}: what is over stays as it is`);
      return;
    }
    const isEffect = after.hasEffect && before?.hasEffect !== true;
    if (isEffect) assert(written > 1, `CP-99, ${step}: effect and progress are one write`);
    const former = before?.attempts ?? [];
    assert(former.length <= after.attempts.length, `CP-106, ${step}: no attempt is forgotten`);
    for (const [place, attempt] of after.attempts.entries()) {
      this.#attempt(former[place], attempt, step);
    }
    const last = after.attempts.at(-1)?.outcomes.map(({ kind }) => kind);
    if (isEffect && last !== undefined) {
      assert(last.includes('CONFIRMED'), `CP-106, ${step}: an effect needs what it asked for`);
    }
    const isOver = after.outcome === 'APPLIED' || after.outcome === 'FAILED';
    if (isOver && after.attempts.length === 0) this.#count(`DYNAMIC ${after.outcome}`);
  }

  #attempt(before: EngagementAttempt | undefined, after: EngagementAttempt, step: string): void {
    const former = before?.outcomes ?? [];
    const kept = after.outcomes.slice(0, former.length);
    assert(isDeepStrictEqual(kept, former), `CP-106, ${step}: history is never rewritten`);
    const added = after.outcomes.slice(former.length).map(({ kind }) => kind);
    if (before === undefined) {
      assert.deepEqual(added, ['REQUESTED'], `CP-106, ${step}: a request is recorded first`);
    }
    for (const kind of added) this.#count(`${after.level} ${kind}`);
  }

  /** CP-19, CP-105: a lease has an owner that is not over, and a pause is that of its domain's owner. */
  #holders(state: ReplicatedState): void {
    const owners = new Map<string, string>();
    for (const { domain, owner } of state.leases()) {
      const isOver =
        owner.kind === 'transaction'
          ? state.transaction(owner.id)?.state !== 'COMMITTING'
          : state.reference(owner.reference) !== undefined;
      assert(!isOver, `CP-19: the lease of '${domain}' has an owner that is under way`);
      owners.set(domain, owner.kind === 'transaction' ? owner.id : owner.reference);
    }
    for (const { name, pausedBy } of state.domains()) {
      if (pausedBy !== undefined) assert.equal(pausedBy, owners.get(name), `CP-105: '${name}'`);
    }
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

function isApplying(progress: CommitProgress | null | undefined): boolean {
  return progress?.steps.some(({ outcome }) => outcome === 'APPLYING') ?? false;
}

/** Whether something of a step is recorded for the first time. */
function isOther(before: CommitStep | undefined, { outcome, attempts }: CommitStep): boolean {
  const isNew = (before?.outcome ?? 'UNATTEMPTED') === 'UNATTEMPTED';
  const former = before?.attempts.length ?? 0;
  return isNew && (outcome !== 'UNATTEMPTED' || attempts.length > former);
}
