import { NervixError } from '@nervix/model';
import type { GraphKey } from './placement/graph-key.js';
import { groupWords, keyWords, unitWords } from './placement/key-words.js';

/** What each code carries beside its message. */
export interface ScheduleErrorDetails {
  /** Thrown: the input contradicts itself; `problem` names what does. */
  readonly SCHED_INVALID_INPUT: { readonly problem: string };
  /** A rule names what cannot be placed, or has an invalid rank. */
  readonly SCHED_INVALID_RULE: { readonly placement: string; readonly reason: string };
  /** A change takes a member away from rules that name it. */
  readonly SCHED_PINNED_MEMBER: {
    readonly domain: string;
    readonly member: string;
    readonly change: 'dropped' | 'ineligible';
    /** All rules that name it, ascending. */
    readonly placements: readonly string[];
  };
  /** Two rules of equal rank ask different things of one pair, the smallest of all such pairs. */
  readonly SCHED_PLACEMENT_CONFLICT: {
    readonly domain: string;
    /** The smallest name that claims the pair, the smallest that disagrees with it. */
    readonly rules: readonly [first: string, second: string];
    readonly pair: readonly [left: GraphKey, right: GraphKey];
  };
  readonly SCHED_UNKNOWN_PLACEMENT: { readonly placement: string };
  /** More pairs would have to be listed than one description holds. */
  readonly SCHED_DESCRIPTION_TOO_LONG: { readonly subject: string; readonly pairs: number };
  /** No cluster node may receive the unit; `why` gives the first reason of each. */
  readonly SCHED_NO_FEASIBLE_NODE: { readonly members: readonly GraphKey[]; readonly why: string };
  /** Members of a hard group are on several nodes and no node may take them all. */
  readonly SCHED_NO_CONSOLIDATION_HOST: {
    readonly members: readonly GraphKey[];
    readonly why: string;
  };
  readonly SCHED_FAILOVER_BUDGET_EXHAUSTED: {
    readonly members: readonly GraphKey[];
    /** All three in graph nodes: allowed, failed over, and in units that lost their owner. */
    readonly budget: number;
    readonly used: number;
    readonly requested: number;
  };
  readonly SCHED_UNKNOWN_MEMBER: { readonly domain: string; readonly member: GraphKey };
  readonly SCHED_LISTENER_MEMBER: { readonly member: GraphKey };
  /** The destination may not receive work; `why` is its first objection in words. */
  readonly SCHED_DESTINATION: { readonly node: string; readonly why: string };
  /** A constraint that a unit declares does not hold on the destination. */
  readonly SCHED_UNFIT_DESTINATION: { readonly members: readonly GraphKey[]; readonly why: string };
  readonly SCHED_EMPTY_RELOCATION: Record<never, never>;
  readonly SCHED_FOREIGN_OVERRIDE: { readonly member: GraphKey };
  readonly SCHED_STRATEGY_CONFLICT: { readonly members: readonly GraphKey[] };
  readonly SCHED_OWNER_NOT_LIVE: { readonly member: GraphKey };
  readonly SCHED_NOT_A_MEMBER: { readonly node: string };
  readonly SCHED_NO_DRAIN_DESTINATION: { readonly node: string };
}

/** Every code of this package. Codes are public API and are only ever added to. */
export type ScheduleErrorCode = keyof ScheduleErrorDetails;

interface ErrorTemplate<Code extends ScheduleErrorCode> {
  /** Whether the same request may succeed later without a change of the request. */
  readonly retryable: boolean;
  readonly message: (details: ScheduleErrorDetails[Code]) => string;
}

const TEMPLATES: { readonly [Code in ScheduleErrorCode]: ErrorTemplate<Code> } = {
  SCHED_INVALID_INPUT: {
    retryable: false,
    message: ({ problem }) => `the input of the schedule is invalid: ${problem}`,
  },
  SCHED_INVALID_RULE: { retryable: false, message: ({ reason }) => reason },
  SCHED_PINNED_MEMBER: { retryable: false, message: pinnedText },
  SCHED_PLACEMENT_CONFLICT: { retryable: false, message: conflictText },
  SCHED_UNKNOWN_PLACEMENT: {
    retryable: false,
    message: ({ placement }) => `placement '${placement}' not found`,
  },
  SCHED_DESCRIPTION_TOO_LONG: {
    retryable: false,
    message: ({ subject, pairs }) =>
      `${subject} has ${pairs} effective pairs, more than can be described`,
  },
  SCHED_NO_FEASIBLE_NODE: {
    retryable: true,
    message: ({ members, why }) => `no cluster node can run ${unitWords(members)} (${why})`,
  },
  SCHED_NO_CONSOLIDATION_HOST: {
    retryable: true,
    message: ({ members, why }) =>
      `no cluster node can bring together ${unitWords(members)} (${why})`,
  },
  SCHED_FAILOVER_BUDGET_EXHAUSTED: {
    retryable: true,
    message: ({ members, budget, used, requested }) =>
      `${unitWords(members)} keeps its lost owner ` +
      `(failover budget: used ${used} of ${budget}, requested ${requested})`,
  },
  SCHED_UNKNOWN_MEMBER: {
    retryable: false,
    message: ({ domain, member }) => `${keyWords(member)} does not exist in domain '${domain}'`,
  },
  SCHED_LISTENER_MEMBER: {
    retryable: false,
    message: ({ member }) =>
      `ingestor '${member.name}' cannot be relocated: ` +
      'server-listener ingestors execute on every cluster node',
  },
  SCHED_DESTINATION: { retryable: true, message: ({ node, why }) => `node '${node}' is ${why}` },
  SCHED_UNFIT_DESTINATION: {
    retryable: true,
    message: ({ members, why }) => `${unitWords(members)} cannot run there (${why})`,
  },
  SCHED_EMPTY_RELOCATION: {
    retryable: false,
    message: () => 'relocation covers no runtime node: no FROM/TO pair is connected',
  },
  SCHED_FOREIGN_OVERRIDE: {
    retryable: false,
    message: ({ member }) => `${keyWords(member)} is not part of the relocation`,
  },
  SCHED_STRATEGY_CONFLICT: {
    retryable: false,
    message: ({ members }) => `conflicting preference strategies for hard ${groupWords(members)}`,
  },
  SCHED_OWNER_NOT_LIVE: {
    retryable: true,
    message: ({ member }) => `${keyWords(member)} has no live owner`,
  },
  SCHED_NOT_A_MEMBER: {
    retryable: false,
    message: ({ node }) => `node '${node}' is not a raft member`,
  },
  SCHED_NO_DRAIN_DESTINATION: {
    retryable: true,
    message: ({ node }) => `cannot drain node '${node}': no live schedulable raft voters remain`,
  },
};

/** Every code of this package. */
export const SCHEDULE_ERROR_CODES: readonly ScheduleErrorCode[] = Object.keys(
  TEMPLATES,
) as ScheduleErrorCode[];

/** A request that the engine turns down as it stands; nothing was changed. */
export interface ScheduleRefusal<Code extends ScheduleErrorCode = ScheduleErrorCode> {
  readonly kind: 'refused';
  readonly code: Code;
  /** For people. */
  readonly message: string;
  readonly details: ScheduleErrorDetails[Code];
  /** Whether the same request may succeed later without a change of the request. */
  readonly retryable: boolean;
}

/** The refusal of a code, with the message that its details make. */
export function refusal<Code extends ScheduleErrorCode>(
  code: Code,
  details: ScheduleErrorDetails[Code],
): ScheduleRefusal<Code> {
  const { message, retryable }: ErrorTemplate<Code> = TEMPLATES[code];
  return { kind: 'refused', code, message: message(details), details, retryable };
}

/** Thrown for input that contradicts itself; everything else is a {@link ScheduleRefusal}. */
export class ScheduleError extends NervixError<'SCHED_INVALID_INPUT'> {
  override readonly name = 'ScheduleError';
}

/** @throws ScheduleError always */
export function invalidInput(problem: string): never {
  const { code, message, details, retryable } = refusal('SCHED_INVALID_INPUT', { problem });
  throw new ScheduleError(code, message, { details: { ...details }, retryable });
}

function conflictText({
  domain,
  rules: [first, second],
  pair: [left, right],
}: ScheduleErrorDetails['SCHED_PLACEMENT_CONFLICT']): string {
  return (
    `placement rules '${first}' and '${second}' in domain '${domain}' conflict at equal rank ` +
    `for runtime nodes ${keyWords(left)} and ${keyWords(right)}`
  );
}

function pinnedText({
  domain,
  member,
  change,
  placements,
}: ScheduleErrorDetails['SCHED_PINNED_MEMBER']): string {
  const model = `model '${member}' in domain '${domain}'`;
  const rules = placements.join(', ');
  return change === 'dropped'
    ? `cannot delete ${model} because it is used by ${rules}`
    : `cannot alter ${model} into a non-placement-eligible shape ` +
        `because it is pinned by placements ${rules}`;
}
