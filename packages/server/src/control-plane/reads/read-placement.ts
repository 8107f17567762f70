import {
  type ExplainPlacementStatement,
  kindWords,
  type RelocationStatement,
  type RuntimeMember,
} from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import {
  type Description,
  type DomainScheduleInput,
  describeDomainPlacement,
  describePlacement,
  explanationSteps,
  type GraphKey,
  graphKeyOf,
  placementBlock,
  planRelocation,
  relocationBlock,
  reportJsonSteps,
  reportSteps,
  showPlacements,
} from '@nervix/scheduler';
import { completed, failed, type Outcome } from '../outcome.js';
import { refusedMove } from '../scheduling/refused-move.js';
import type { ScheduledDomain } from '../scheduling/scheduled-domain.js';
import { inSlices } from '../scheduling/slices.js';

/** Candidates of one answer, over all units. */
const CANDIDATES_MAX = 100_000;

/** Text of SHOW PLACEMENTS. */
export function readPlacements({ input }: ScheduledDomain): Outcome {
  return completed(showPlacements(input.placement));
}

/** Text of DESCRIBE PLACEMENT; the rule exists. */
export function readPlacement({ input }: ScheduledDomain, name: string): Outcome {
  return described(describePlacement(input.placement, name, input.previous));
}

/** The lines of DESCRIBE DOMAIN about placement, or why they cannot be given. */
export function domainPlacementText({ input }: ScheduledDomain): Description {
  return describeDomainPlacement(input.placement, input.previous);
}

/** Text of DESCRIBE RELOCATION: the plan that RELOCATE would carry out now. */
export function readRelocation(
  { input, isRunning }: ScheduledDomain,
  statement: RelocationStatement,
  parsed: ParsedStatement,
): Outcome {
  const plan = planRelocation(input, statement, isRunning);
  return plan.kind === 'refused' ? refusedMove(plan, parsed) : completed(relocationBlock(plan));
}

/**
 * EXPLAIN PLACEMENT: where units run and what spoke for and against each cluster node. Of a whole
 * domain the JSON form says how many candidates it leaves out where they would be too many.
 */
export async function explainPlacement(
  { input, revisions }: ScheduledDomain,
  { member, format }: ExplainPlacementStatement,
  parsed: ParsedStatement,
): Promise<Outcome> {
  const key = member === null ? undefined : graphKeyOf(member);
  if (member !== null && !isGraphNode(input, key)) {
    const refusal = unknownMember(input.placement.domain, member);
    return refusedMove(refusal, parsed);
  }
  const isAsked = ({ kind, name }: GraphKey): boolean =>
    key === undefined || (kind === key.kind && name === key.name);
  const bound = member === null ? boundOf(input) : Number.POSITIVE_INFINITY;
  if (format === 'JSON') {
    const options = { inputs: revisions, isAsked, candidatesMax: bound };
    const report = await inSlices(reportSteps(input, options));
    return completed(await inSlices(reportJsonSteps(report)));
  }
  if (bound !== Number.POSITIVE_INFINITY) return tooLong(input);
  const blocks = (await inSlices(explanationSteps(input, { isAsked }))).map(placementBlock);
  const listeners = input.traits
    .filter((traits) => traits.runs === 'every_node' && isAsked(traits))
    .map(({ kind, name }) => listenerBlock(input, { kind, name }));
  const text = [...blocks, ...listeners].join('\n\n');
  return completed(text === '' ? 'no graph nodes' : `${inputsLine(revisions)}\n${text}`);
}

/** Candidates that are listed for each unit: all of them, unless they are too many altogether. */
function boundOf({ traits, nodes }: DomainScheduleInput): number {
  if (traits.length * nodes.length <= CANDIDATES_MAX) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(CANDIDATES_MAX / traits.length));
}

function tooLong({ placement, traits, nodes }: DomainScheduleInput): Outcome {
  const message =
    `domain '${placement.domain}' has ${traits.length} graph nodes on ${nodes.length} cluster ` +
    'nodes, more than can be explained as text: name one of them, or ask with FORMAT JSON';
  return failed('LIMIT_REACHED', message);
}

function isGraphNode({ traits }: DomainScheduleInput, key: GraphKey | undefined): boolean {
  return traits.some(({ kind, name }) => kind === key?.kind && name === key.name);
}

function unknownMember(domain: string, { kind, name }: RuntimeMember) {
  const message = `${kindWords(kind)} '${name}' does not exist in domain '${domain}'`;
  return { code: 'SCHED_UNKNOWN_MEMBER', message, details: { member: { kind, name } } } as const;
}

function listenerBlock({ placement, previous }: DomainScheduleInput, key: GraphKey): string {
  const entry = previous.find(({ kind, name }) => kind === key.kind && name === key.name);
  return [
    `placement of ${key.kind} '${key.name}' in domain '${placement.domain}'`,
    `nodes: ${entry?.nodes.join(', ') || '-'} (it listens on every live node)`,
  ].join('\n');
}

function inputsLine(revisions: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(revisions).map(([name, revision]) => `${name}=${revision}`);
  return `inputs: ${inputs.join(' ')}`;
}

function described(description: Description): Outcome {
  if (description.kind === 'described') return completed(description.text);
  return failed('LIMIT_REACHED', description.message);
}
