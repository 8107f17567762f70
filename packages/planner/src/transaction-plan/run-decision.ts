import type { Model } from '@nervix/model';
import type { ScheduleEntry } from '@nervix/scheduler';
import type { FoldedRun, PlannedBinding } from './fold-operations.js';
import { compareNodes } from './impact/canonical-order.js';
import type { JudgedRun } from './model-step.js';
import { type Attributions, operationBit } from './operation-set.js';
import {
  type Attributed,
  type Completeness,
  type Effects,
  NO_EFFECTS,
  NO_PAUSE,
  type PlannedImpact,
} from './report.js';
import type { TransactionState } from './transaction-state.js';

/** What a step of model changes writes; the former models and schedule are kept to go back to. */
export interface RunDecision {
  readonly kind: 'models';
  readonly transitions: readonly {
    readonly before: Model | null;
    readonly after: Model | null;
  }[];
  /** Null where the schedule stays as it is. */
  readonly schedule: readonly ScheduleEntry[] | null;
  readonly replacedSchedule: readonly ScheduleEntry[];
  /** Operations without effect on the models of the step, by number. */
  readonly noOpOperations: readonly number[];
  readonly modelGate: readonly string[];
  readonly ownershipGate: readonly string[];
}

/** A run with everything that was found out about it. */
export interface JudgedStep {
  readonly before: TransactionState;
  readonly run: FoldedRun;
  readonly judged: JudgedRun;
  readonly completeness: Completeness;
}

/** Puts together what a judged run does and how it is reported. */
export function runDecision(
  { before, run, judged, completeness }: JudgedStep,
  attributions: Attributions,
): { readonly decision: RunDecision; readonly planned: PlannedImpact } {
  const { changed, impact, schedule } = judged;
  const effective = new Set(changed.map(({ key }) => key));
  const noOpOperations = run.operations.flatMap(({ number, touched }) =>
    touched.some((key) => effective.has(key)) ? [] : [number],
  );
  const effects: Effects = impact?.effects ?? NO_EFFECTS;
  return {
    decision: {
      kind: 'models',
      transitions: changed.map((change) => ({
        before: change.before ?? null,
        after: change.after ?? null,
      })),
      schedule,
      replacedSchedule: before.schedule,
      noOpOperations,
      modelGate: impact?.modelGate ?? [],
      ownershipGate: impact?.ownershipGate ?? [],
    },
    planned: {
      completeness,
      pause: impact?.pause ?? NO_PAUSE,
      effects: { ...effects, resource_bindings: bindings(run, attributions) },
    },
  };
}

function bindings({ operations }: FoldedRun, attributions: Attributions) {
  const found = new Map<string, Attributed<PlannedBinding>>();
  for (const { number, bindings: own } of operations) {
    for (const binding of own) {
      const identity = JSON.stringify(binding);
      const numbers = found.get(identity)?.attribution ?? [];
      const set = [...numbers, number].reduce((all, each) => all | operationBit(each), 0n);
      found.set(identity, { ...binding, attribution: attributions.listOf(set) });
    }
  }
  return [...found.values()].sort((left, right) => compareNodes(left.node, right.node));
}
