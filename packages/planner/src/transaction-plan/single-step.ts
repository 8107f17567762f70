import { canonicalDigest, type ResetTarget, type StartInstant } from '@nervix/model';
import {
  FIRST_GENERATION,
  nextGuestGeneration,
  type ScheduleEntry,
  type Steps,
} from '@nervix/scheduler';
import { inputRelays } from './impact/activation-delta.js';
import { compareCoverage } from './impact/canonical-order.js';
import { ImpactGraph } from './impact/impact-graph.js';
import type { OwnershipMove } from './impact/model-change.js';
import { everyNode, modelImpact } from './impact/model-effects.js';
import {
  movedGroups,
  ownershipMoves,
  placeState,
  type RunContext,
  scheduledRelays,
  withNextGeneration,
} from './model-step.js';
import { operationBit } from './operation-set.js';
import {
  type Branches,
  type Coverage,
  type Effects,
  NO_EFFECTS,
  NO_PAUSE,
  type OperationSummary,
  type Pause,
  type Reason,
} from './report.js';
import { unresolvedSecret } from './secret-references.js';
import type { SingleStatement } from './statement-steps.js';
import { statementRefusal, type TransactionRefusal } from './transaction-refusal.js';
import type { TransactionState } from './transaction-state.js';

/** What execution of a step that is one statement consists of. */
export type SingleDecision =
  | {
      readonly kind: 'alter_domain';
      readonly placement: TransactionState['placement'];
      readonly schedule: readonly ScheduleEntry[] | null;
      readonly ownershipGate: readonly string[];
    }
  | {
      readonly kind: 'start_domain';
      readonly startGeneration: number;
      /** Where logical time is to begin, as asked for; null to resume it. */
      readonly at: StartInstant | null;
    }
  | { readonly kind: 'stop_domain' }
  | {
      readonly kind: 'create_resource';
      readonly resource: string;
      readonly alreadyExisted: boolean;
    }
  | {
      readonly kind: 'reset_wasm_state';
      readonly processor: string;
      /** The instances that lose their state. */
      readonly branches: Branches;
      /** Of their next state. */
      readonly generation: number;
      readonly schedule: readonly ScheduleEntry[];
    };

/** A step that is one statement, planned. */
export interface PlannedSingle {
  readonly summary: OperationSummary;
  readonly reasons: readonly Reason[];
  readonly pause: Pause;
  readonly effects: Effects;
  readonly decision: SingleDecision;
  readonly moves: readonly OwnershipMove[];
  /** The domain afterwards. */
  readonly state: TransactionState;
}

type Outcome = PlannedSingle | TransactionRefusal;

/** Plans a statement that is a step of its own. */
export function* planSingle(
  context: RunContext,
  statement: SingleStatement,
  number: number,
): Steps<Outcome> {
  switch (statement.kind) {
    case 'start':
      return planStart(context, statement.at, number);
    case 'stop':
      return planStop(context, number);
    case 'alter_domain':
      return yield* planPlacement(context, statement.setting.policy, number);
    case 'create_resource':
      return planResource(context, statement.name, statement.ifNotExists, number);
    case 'reset_wasm_processor':
      return planReset(context, statement.name, statement.target, number);
  }
}

function planStart(
  { snapshot, state, attributions }: RunContext,
  at: StartInstant | null,
  number: number,
): Outcome {
  const { domain } = snapshot;
  if (state.status === 'running') {
    return domainStatus(number, `domain '${domain}' is already running`);
  }
  const missing = missingSecret(snapshot, state, number);
  if (missing !== undefined) return missing;
  const nodes = everyNode(ImpactGraph.of(state.models), operationBit(number), attributions);
  const startGeneration = state.startGeneration + 1;
  return {
    ...lifecycle(domain, 'START'),
    effects: {
      ...lifecycleEffects(domain, number, 'START'),
      activations: nodes.map(({ coverage, attribution }) => {
        return { node: coverage, action: 'ACTIVATE', attribution } as const;
      }),
    },
    decision: { kind: 'start_domain', startGeneration, at },
    state: { ...state, status: 'running', startGeneration },
  };
}

/** What a restored or an older domain may name without having it, as a refusal of its start. */
function missingSecret(
  { domain, secrets }: RunContext['snapshot'],
  { models }: TransactionState,
  number: number,
): TransactionRefusal | undefined {
  if (secrets === undefined) return undefined;
  for (const model of models.list) {
    const message = unresolvedSecret(domain, secrets, model)?.reason;
    if (message === undefined) continue;
    const { kind, name } = model;
    const refusal = { code: 'PLAN_SECRET_UNAVAILABLE', message, model: { kind, name } } as const;
    return statementRefusal(number, refusal, 'failed secret resolution');
  }
  return undefined;
}

function planStop({ snapshot, state, attributions }: RunContext, number: number): Outcome {
  const { domain } = snapshot;
  if (state.status === 'stopped') {
    return domainStatus(number, `domain '${domain}' is already stopped`);
  }
  const nodes = everyNode(ImpactGraph.of(state.models), operationBit(number), attributions);
  return {
    ...lifecycle(domain, 'STOP'),
    effects: {
      ...lifecycleEffects(domain, number, 'STOP'),
      activations: nodes.map(({ coverage, attribution }) => {
        return { node: coverage, action: 'DEACTIVATE', attribution } as const;
      }),
    },
    decision: { kind: 'stop_domain' },
    state: { ...state, status: 'stopped' },
  };
}

function lifecycle(domain: string, action: 'START' | 'STOP') {
  const summary: OperationSummary = { kind: `${action}_DOMAIN`, domain };
  const reasons: readonly Reason[] = [{ kind: `DOMAIN_${action}` }];
  return { summary, reasons, pause: NO_PAUSE, moves: [] };
}

function lifecycleEffects(domain: string, number: number, action: 'START' | 'STOP'): Effects {
  return { ...NO_EFFECTS, lifecycle: [{ domain, action, attribution: [number] }] };
}

function* planPlacement(
  context: RunContext,
  placement: TransactionState['placement'],
  number: number,
): Steps<Outcome> {
  const { state, snapshot } = context;
  const { domain } = snapshot;
  const summary: OperationSummary = { kind: 'ALTER_DOMAIN', domain };
  if (placement === state.placement) {
    const decision = {
      kind: 'alter_domain',
      placement,
      schedule: null,
      ownershipGate: [],
    } as const;
    const none = { pause: NO_PAUSE, effects: NO_EFFECTS, moves: [], reasons: [] };
    return { summary, ...none, decision, state };
  }
  const altered = { ...context, state: { ...state, placement } };
  const placed = yield* placeState(altered);
  const [refusal] = placed.refusals;
  if (refusal !== undefined) return statementRefusal(number, refusal, 'failed model preflight');
  const schedule = placed.schedule?.entries ?? null;
  const moves = placed.schedule === null ? [] : ownershipMoves(state.schedule, placed.schedule);
  const impact = policyImpact(context, altered, moves, number);
  return {
    summary,
    reasons: [{ kind: 'DOMAIN_PLACEMENT' }],
    pause: impact.pause,
    effects: impact.effects,
    decision: { kind: 'alter_domain', placement, schedule, ownershipGate: impact.ownershipGate },
    moves,
    state: { ...altered.state, schedule: schedule ?? state.schedule },
  };
}

/** A policy changes no model; only what moves because of it has effects. */
function policyImpact(
  before: RunContext,
  after: RunContext,
  moves: readonly OwnershipMove[],
  number: number,
) {
  const { snapshot, state, attributions } = before;
  const graph = ImpactGraph.of(state.models);
  const ends = [before, after].map((context) => ({ context, models: state.models }));
  return modelImpact(
    {
      domain: snapshot.domain,
      isRunning: state.status === 'running',
      before: graph,
      after: graph,
      changed: [],
      moves,
      groupMembers: movedGroups(ends, moves),
      ...(state.schedule.length === 0 ? {} : { scheduledRelays: scheduledRelays(state.schedule) }),
      operations: operationBit(number),
    },
    attributions,
  );
}

function planResource(
  { snapshot, state }: RunContext,
  resource: string,
  ifNotExists: boolean,
  number: number,
): Outcome {
  const { domain } = snapshot;
  const alreadyExisted = state.resources.has(resource);
  if (alreadyExisted && !ifNotExists) {
    const message = `resource '${resource}' already exists`;
    const refusal = { code: 'PLAN_DUPLICATE_RESOURCE', message } as const;
    return statementRefusal(number, refusal);
  }
  const summary: OperationSummary = { kind: 'CREATE_RESOURCE', domain, resource };
  const decision = { kind: 'create_resource', resource, alreadyExisted } as const;
  const none = { summary, decision, pause: NO_PAUSE, moves: [] };
  if (alreadyExisted) return { ...none, reasons: [], effects: NO_EFFECTS, state };
  const created = { resource, action: 'CREATE', attribution: [number] } as const;
  return {
    ...none,
    reasons: [{ kind: 'RESOURCE_CATALOG', resource }],
    effects: { ...NO_EFFECTS, resource_catalog: [created] },
    state: { ...state, resources: new Map([...state.resources, [resource, []]]) },
  };
}

function planReset(
  { snapshot, state, attributions }: RunContext,
  processor: string,
  target: ResetTarget,
  number: number,
): Outcome {
  const { domain } = snapshot;
  const graph = ImpactGraph.of(state.models);
  const node = graph.node(`wasm_processor/${processor}`);
  if (node === undefined || node.model.kind !== 'wasm_processor') {
    const message = `wasm processor '${processor}' does not exist in domain '${domain}'`;
    const model = { kind: 'wasm_processor', name: processor } as const;
    const refusal = { code: 'PLAN_MODEL_NOT_FOUND', message, model } as const;
    return statementRefusal(number, refusal, 'failed reset preflight');
  }
  const isBranched = node.model.branching.kind === 'branched_by';
  const entry = state.schedule.find(({ kind, name }) => {
    return kind === 'wasm_processor' && name === processor;
  });
  const fault = resetFault(processor, { isBranched, target, status: state.status, entry });
  if (fault !== undefined) {
    const refusal = { code: 'PLAN_RESET_SCOPE', message: fault } as const;
    return statementRefusal(number, refusal, 'failed reset preflight');
  }
  const branches = resetBranches(node.model.branching, target);
  const coverage: Coverage = { node: node.coverage.node, branches };
  const attribution = attributions.listOf(operationBit(number));
  const gates = inputRelays(node.model)
    .map((relay) => ({ boundary: { relay, branches }, attribution }))
    .sort((left, right) => compareGates(left.boundary.relay, right.boundary.relay));
  const scope = { domain, nodes: [{ coverage, attribution }], gate_boundaries: gates };
  const schedule = state.schedule.map((other) => {
    return other === entry ? resetEntry(other, branches) : other;
  });
  const generation = nextGuestGeneration(entry?.guestGenerations);
  const flushed = everyNode(graph, operationBit(number), attributions);
  return {
    summary: { kind: 'RESET_WASM_STATE', domain, processor },
    reasons: [{ kind: 'WASM_STATE_RESET', node: node.coverage.node }],
    pause: { kind: 'SUBGRAPH', scope },
    effects: {
      ...NO_EFFECTS,
      state_resets: [{ node: coverage, state: 'WASM_GUEST_STATE', attribution }],
      force_flushes: flushed.map((each) => ({ node: each.coverage, attribution })),
    },
    decision: { kind: 'reset_wasm_state', processor, branches, generation, schedule },
    moves: [],
    state: { ...state, schedule },
  };
}

function compareGates(left: string, right: string): number {
  const side = (identifier: string): Coverage => {
    return { node: { kind: 'relay', identifier }, branches: null };
  };
  return compareCoverage(side(left), side(right));
}

interface ResetRequest {
  readonly isBranched: boolean;
  readonly target: ResetTarget;
  readonly status: TransactionState['status'];
  readonly entry: ScheduleEntry | undefined;
}

function resetFault(processor: string, request: ResetRequest): string | undefined {
  const { isBranched, target, status, entry } = request;
  const subject = `wasm processor '${processor}'`;
  if (isBranched === (target.kind === 'unbranched')) {
    return `${subject} is ${isBranched ? 'branched' : 'unbranched'}`;
  }
  if (status !== 'running') return `${subject} is not running`;
  return entry?.nodes[0] === undefined ? `${subject} is not scheduled` : undefined;
}

type Branching =
  | { readonly kind: 'unbranched' }
  | { readonly kind: 'branched_by'; readonly branch: string };

function resetBranches(branching: Branching, target: ResetTarget): Branches {
  if (branching.kind === 'unbranched') return { kind: 'UNBRANCHED' };
  const { branch } = branching;
  if (target.kind !== 'branch') return { kind: 'ALL_OF_BRANCH', branch };
  const values = [...target.values].sort((left, right) => (left.field < right.field ? -1 : 1));
  return { kind: 'SELECTED', branch, keys: [canonicalDigest([branch, values])] };
}

function resetEntry(entry: ScheduleEntry, branches: Branches): ScheduleEntry {
  if (branches.kind !== 'SELECTED') return withNextGeneration(entry);
  const { common, byBranch } = entry.guestGenerations ?? FIRST_GENERATION;
  const next = nextGuestGeneration(entry.guestGenerations);
  const reset = Object.fromEntries(branches.keys.map((key) => [key, next]));
  return { ...entry, guestGenerations: { common, byBranch: { ...byBranch, ...reset } } };
}

function domainStatus(number: number, message: string): TransactionRefusal {
  const refusal = { code: 'PLAN_DOMAIN_STATUS', message } as const;
  return statementRefusal(number, refusal);
}
