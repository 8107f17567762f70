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
  explainPlacements,
  type GraphKey,
  graphKeyOf,
  placementBlock,
  placementReport,
  planRelocation,
  relocationBlock,
  showPlacements,
} from '@nervix/scheduler';
import { completed, failed, type Outcome } from '../outcome.js';
import { refusedMove } from '../scheduling/refused-move.js';
import type { ScheduledDomain } from '../scheduling/scheduled-domain.js';

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

/** EXPLAIN PLACEMENT: where units run and what spoke for and against each cluster node. */
export function explainPlacement(
  { input, revisions }: ScheduledDomain,
  { member, format }: ExplainPlacementStatement,
  parsed: ParsedStatement,
): Outcome {
  const key = member === null ? undefined : graphKeyOf(member);
  if (member !== null && !isGraphNode(input, key)) {
    const refusal = unknownMember(input.placement.domain, member);
    return refusedMove(refusal, parsed);
  }
  const isAsked = ({ kind, name }: GraphKey): boolean =>
    key === undefined || (kind === key.kind && name === key.name);
  if (format === 'JSON') {
    return completed(JSON.stringify(placementReport(input, { inputs: revisions, isAsked })));
  }
  const blocks = explainPlacements(input, { isAsked }).map(placementBlock);
  const listeners = input.traits
    .filter((traits) => traits.runs === 'every_node' && isAsked(traits))
    .map(({ kind, name }) => listenerBlock(input, { kind, name }));
  const text = [...blocks, ...listeners].join('\n\n');
  return completed(text === '' ? 'no graph nodes' : `${inputsLine(revisions)}\n${text}`);
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
