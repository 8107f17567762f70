import type { Model } from '@nervix/model';
import { type QuiesceLevel, widerLevel } from '../../quiesce-level.js';
import type { Aspect } from '../aspects/aspect.js';
import { NO_OPERATIONS, type OperationSet } from '../operation-set.js';
import type { ImpactGraph, ImpactNode } from './impact-graph.js';
import { type Selection, select } from './selection.js';

/** A model that differs between the two ends of a step. */
export interface ChangedModel {
  readonly key: string;
  /** Absent for a model that is new. */
  readonly before?: Model;
  /** Absent for a model that is dropped. */
  readonly after?: Model;
  readonly aspects: readonly Aspect[];
  /** Every operation that touched it. */
  readonly operations: OperationSet;
}

/** A graph node that gets another owner by plan. */
export interface OwnershipMove {
  readonly key: string;
  readonly source: string;
  readonly destination: string;
}

/** A step of model changes with everything that its impact is derived from. */
export interface ModelStep {
  readonly domain: string;
  readonly isRunning: boolean;
  readonly before: ImpactGraph;
  readonly after: ImpactGraph;
  /** In the order of kinds, then names. */
  readonly changed: readonly ChangedModel[];
  readonly moves: readonly OwnershipMove[];
  /** Members of the hard groups that the moves touch in either schedule, by key. */
  readonly groupMembers: ReadonlySet<string>;
  /** Keys of the relays that have an owner now; undefined where nothing is placed. */
  readonly scheduledRelays?: ReadonlySet<string>;
  /** All operations of the step, for what only scheduling causes. */
  readonly operations: OperationSet;
}

/** The widest level among the aspects of a changed model. */
export function levelOf({ aspects }: ChangedModel): QuiesceLevel {
  return aspects.reduce<QuiesceLevel>((widest, { level }) => widerLevel(widest, level), 'DYNAMIC');
}

/** Changed models whose own level is the given one, with their operations. */
export function changedAt(step: ModelStep, level: QuiesceLevel): Selection {
  const selection: Selection = new Map();
  for (const changed of step.changed) {
    if (levelOf(changed) === level) select(selection, changed.key, changed.operations);
  }
  return selection;
}

/** The operations of a selection together. */
export function operationsOf(selection: Selection): OperationSet {
  let all = NO_OPERATIONS;
  for (const operations of selection.values()) all |= operations;
  return all;
}

/** The part of a selection that has work of its own in a graph. */
export function executablesIn(
  graph: ImpactGraph,
  selection: Selection,
): readonly (readonly [ImpactNode, OperationSet])[] {
  return [...selection].flatMap(([key, operations]) => {
    const node = graph.node(key);
    return node?.isExecutable === true ? [[node, operations] as const] : [];
  });
}
