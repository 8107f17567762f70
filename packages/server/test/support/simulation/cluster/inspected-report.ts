import assert from 'node:assert/strict';
import type { Answer } from '../caller.ts';

type Pause = 'NO_PAUSE' | 'SUBGRAPH' | 'DOMAIN';

const LEVELS: Readonly<Record<Pause, string>> = {
  NO_PAUSE: 'DYNAMIC',
  SUBGRAPH: 'ENTITY_PAUSE',
  DOMAIN: 'DOMAIN_PAUSE',
};

/** A report that was read of a transaction. */
export interface Inspected {
  readonly id: string;
  readonly report: Readonly<Record<string, unknown>>;
  /** Whether its leader ran what was published; an older graph may ask for a wider pause. */
  readonly isCurrent: boolean;
}

/** What a report says of the plan, without what became of it. */
function plannedOf({
  execution_steps: steps,
  planning_basis: basis,
}: Inspected['report']): unknown {
  const planned = (steps as readonly { readonly planned: unknown }[]).map((step) => step.planned);
  return { basis, planned };
}

/** CP-107: a commit tells the pause that its preview told. */
export function checkTold(before: Inspected, { message }: Answer, isOneLeader: boolean): void {
  const { kind } = (before.report['summary'] as { readonly pause: { readonly kind: Pause } }).pause;
  // Another leader may have had to do more to bring the step to its end.
  const isEmpty = before.report['position'] === 0;
  const [told] = message.split('; ');
  const isWider = told === 'quiesce level: DOMAIN_PAUSE' && !before.isCurrent;
  if (isOneLeader && !isEmpty && !isWider) assert.equal(told, `quiesce level: ${LEVELS[kind]}`);
}

/** CP-69: what was admitted is what was previewed, and its report says so for good. */
export function checkFrozen(before: Inspected, after: Inspected['report']): void {
  assert.deepEqual(plannedOf(after), plannedOf(before.report), 'the frozen plan is the preview');
}
