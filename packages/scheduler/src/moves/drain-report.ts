import type { DrainStep } from './drain-plan.js';
import { isPrimaryMove, type MovedMember, nameList } from './moved-member.js';
import { moveLevel } from './quiesce-level.js';

/** What became of one step of a drain. */
export interface DrainOutcome {
  readonly step: DrainStep;
  /** Why the step failed; absent when it was carried out. */
  readonly failure?: string;
}

/** A drain as it ended. */
export interface DrainRun {
  readonly node: string;
  /** Graph nodes that the node owned as the drain began. */
  readonly ownedCount: number;
  /** In the order of execution. */
  readonly outcomes: readonly DrainOutcome[];
  /** Names of the domains that run. */
  readonly running: ReadonlySet<string>;
}

/** The result of a drain. */
export interface DrainReport {
  /** False when any step failed; the command fails then. */
  readonly isComplete: boolean;
  readonly text: string;
}

/** Prints a drain with one line for each graph node, failed steps included. */
export function drainReport({ node, ownedCount, outcomes, running }: DrainRun): DrainReport {
  const done = outcomes.filter((outcome) => failureOf(outcome) === undefined);
  const moved = done.flatMap(({ step }) =>
    step.members.filter(isPrimaryMove).map((member) => ({ ...member, domain: step.domain })),
  );
  const movedCount = moved.filter(({ from }) => from === node).length;
  const level = moveLevel(moved.some(({ domain }) => running.has(domain)));
  const lines = outcomes.flatMap((outcome) =>
    outcome.step.members.map((member) => drainLine(member, failureOf(outcome))),
  );
  return {
    isComplete: done.length === outcomes.length,
    text: [
      `drained node '${node}' (moved ${movedCount} of ${ownedCount} scheduled graph node(s))`,
      `quiesce level: ${level}`,
      ...lines,
    ].join('\n'),
  };
}

/** A step that had nowhere to go failed before it was tried. */
function failureOf({ step, failure }: DrainOutcome): string | undefined {
  return failure ?? step.refusal;
}

function drainLine(member: MovedMember, failure: string | undefined): string {
  const { kind, name, from, to } = member;
  const subject = `- kind=${kind} name=${name}`;
  if (failure !== undefined) return `${subject} owner=${from} failed: ${failure}`;
  const replicas = `replicas=${nameList(member.replicas)}`;
  if (!isPrimaryMove(member)) return `${subject} owner=${to} ${replicas}`;
  const promoted = member.isPromotedReplica ? 'yes' : 'no';
  return `${subject} from=${from} to=${to} ${replicas} promoted_replica=${promoted}`;
}
