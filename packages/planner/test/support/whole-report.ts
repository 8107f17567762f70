import {
  type ActualImpact,
  type Branches,
  type Coverage,
  type EdgeKind,
  type Effects,
  NO_EFFECTS,
  type OperationKind,
  type OperationSummary,
  type Pause,
  type PlannedImpact,
  type Reason,
  type ReportDiagnostic,
  type ReportedStep,
  type ReportNode,
  type TransactionReport,
  type TransactionStanding,
} from '../../src/index.js';
import type { StateReset } from '../../src/transaction-plan/aspects/aspect.js';

const DOMAIN = 'taxi';
const KEYS = ['0a'.repeat(32), 'ff'.repeat(32)];
const named = (kind: string, identifier: string): ReportNode => ({ kind, identifier });
const once = named('deduplicator', 'once');
const guest = named('wasm_processor', 'guest');
const COMPLETE = { status: 'COMPLETE' } as const;
const NO_PAUSE: Pause = { kind: 'NO_PAUSE' };

/** The members of a record, one for each of its kinds: a kind that is missing does not compile. */
const each = <Kind extends string, Value>(byKind: Readonly<Record<Kind, Value>>) =>
  Object.values<Value>(byKind);
const kinds = <Kind extends string>(byKind: Readonly<Record<Kind, true>>) =>
  Object.keys(byKind) as Kind[];

const BRANCHES = each<Branches['kind'], Branches>({
  ALL: { kind: 'ALL' },
  UNBRANCHED: { kind: 'UNBRANCHED' },
  ALL_OF_BRANCH: { kind: 'ALL_OF_BRANCH', branch: 'by_tenant' },
  SELECTED: { kind: 'SELECTED', branch: 'by_tenant', keys: KEYS },
});
const COVERAGES: readonly Coverage[] = [
  { node: named('schema', 'event'), branches: null },
  ...BRANCHES.map((branches, index) => ({ node: named('relay', `r${index}`), branches })),
];
const onlyOnce: Coverage = { node: once, branches: { kind: 'ALL_OF_BRANCH', branch: 'by_tenant' } };
const onlyGuest: Coverage = {
  node: guest,
  branches: { kind: 'SELECTED', branch: 'by_tenant', keys: KEYS.slice(0, 1) },
};

const OPERATIONS = each<OperationKind, Omit<OperationSummary, 'domain'>>({
  CREATE_CONFIGURATION: { kind: 'CREATE_CONFIGURATION', node: named('schema', 'event') },
  ALTER_CONFIGURATION: { kind: 'ALTER_CONFIGURATION', node: once },
  DROP_CONFIGURATION: { kind: 'DROP_CONFIGURATION', node: named('lookup', 'rates') },
  ALTER_DOMAIN: { kind: 'ALTER_DOMAIN' },
  START_DOMAIN: { kind: 'START_DOMAIN' },
  STOP_DOMAIN: { kind: 'STOP_DOMAIN' },
  CREATE_RESOURCE: { kind: 'CREATE_RESOURCE', resource: 'tables' },
  REBIND_RESOURCE: {
    kind: 'REBIND_RESOURCE',
    resource: 'tables',
    requested: 'LATEST',
    version: 3,
  },
  RESET_WASM_STATE: { kind: 'RESET_WASM_STATE', processor: 'guest' },
});
const LAST_CONFIGURATION = 3;

const BINDING = { node: guest, resource: 'tables' };
const REASONS: Readonly<Record<Reason['kind'], Omit<Reason, 'kind'>>> = {
  CONFIGURATION: { node: once, aspect: 'DEDUPLICATOR_KEYSPACE' },
  DOMAIN_PLACEMENT: {},
  DOMAIN_START: {},
  DOMAIN_STOP: {},
  RESOURCE_CATALOG: { resource: 'tables' },
  RESOURCE_REBINDING: { ...BINDING, from_version: 1, to_version: 3 },
  WASM_STATE_RESET: { node: guest },
};
const REASON_OF: Readonly<Record<OperationKind, Reason['kind']>> = {
  CREATE_CONFIGURATION: 'CONFIGURATION',
  ALTER_CONFIGURATION: 'CONFIGURATION',
  DROP_CONFIGURATION: 'CONFIGURATION',
  ALTER_DOMAIN: 'DOMAIN_PLACEMENT',
  START_DOMAIN: 'DOMAIN_START',
  STOP_DOMAIN: 'DOMAIN_STOP',
  CREATE_RESOURCE: 'RESOURCE_CATALOG',
  REBIND_RESOURCE: 'RESOURCE_REBINDING',
  RESET_WASM_STATE: 'WASM_STATE_RESET',
};

const DIAGNOSTICS = kinds<ReportDiagnostic['kind']>({
  PLANNING: true,
  TOPOLOGY: true,
  QUIESCENCE: true,
  OWNERSHIP: true,
  ACTIVATION: true,
  APPLICATION: true,
  RECOVERY: true,
}).map((kind, index) => ({
  kind,
  operation: index === 0 ? null : 2,
  message: `${kind.toLowerCase()} is not known`,
}));
const TIMEOUT: ReportDiagnostic = {
  kind: 'QUIESCENCE',
  operation: 4,
  message: "timed out draining domain 'taxi'",
};

const DATAFLOW = kinds<EdgeKind>({
  CONFIGURATION_DEPENDENCY: true,
  DATAFLOW: true,
  MESSAGE_ERROR: true,
  CORRELATION_TIMEOUT: true,
  MATERIALIZED_STATE: true,
});
const by = (...attribution: number[]) => ({ attribution });

/** Every effect in each of its kinds, all of the step of configuration. */
const EFFECTS: Effects = {
  changed_configuration: kinds<Effects['changed_configuration'][number]['transition']['kind']>({
    CREATED: true,
    CHANGED: true,
    DROPPED: true,
  }).map((kind, index) => ({
    transition: { kind, node: OPERATIONS[index]?.node ?? once },
    ...by(index + 1),
  })),
  topology: {
    before: { nodes: [{ coverage: onlyOnce, ...by(2) }], edges: [] },
    after: {
      nodes: COVERAGES.map((coverage) => ({ coverage, ...by(1, 2) })),
      edges: DATAFLOW.map((kind) => ({ source: onlyGuest, target: onlyOnce, kind, ...by(2) })),
    },
  },
  ownership_moves: [{ node: onlyOnce, source: 'n1', destination: 'n2', ...by(2) }],
  lifecycle: kinds<Effects['lifecycle'][number]['action']>({ START: true, STOP: true }).map(
    (action) => ({ domain: DOMAIN, action, ...by(2) }),
  ),
  activations: kinds<Effects['activations'][number]['action']>({
    ACTIVATE: true,
    DEACTIVATE: true,
    REFRESH_HTTPS_LISTENER: true,
  }).map((action) => ({ node: onlyOnce, action, ...by(2) })),
  rebuilds: kinds<Effects['rebuilds'][number]['reason']>({
    CONFIGURATION: true,
    OWNERSHIP: true,
    RECOVERY: true,
  }).map((reason) => ({ node: onlyOnce, reason, ...by(2, 3) })),
  state_resets: kinds<StateReset>({
    CORRELATION_BUFFER: true,
    DEDUPLICATOR_KEYSPACE: true,
    INFERENCER_WARM_STATE: true,
    MATERIALIZED_RELAY_STATE: true,
    REORDERER_BUFFER: true,
    WASM_GUEST_STATE: true,
    WINDOW_ACCUMULATOR: true,
  }).map((state) => ({ node: onlyGuest, state, ...by(2) })),
  force_flushes: [{ node: onlyOnce, ...by(1, 2, 3) }],
  resource_catalog: [{ resource: 'tables', action: 'CREATE', ...by(2) }],
  resource_bindings: (['LATEST', 3] as const).map((requested) => ({
    ...BINDING,
    requested,
    version: 3,
    ...by(2),
  })),
};

const SUBGRAPH: Pause = {
  kind: 'SUBGRAPH',
  scope: {
    domain: DOMAIN,
    nodes: COVERAGES.map((coverage) => ({ coverage, ...by(1, 2) })),
    gate_boundaries: BRANCHES.map((branches, index) => ({
      boundary: { relay: `r${index}`, branches },
      ...by(2),
    })),
  },
};
const WHOLE: Pause = { kind: 'DOMAIN', domain: DOMAIN };

type Outcome = ActualImpact['outcome'];
type Quiescence = ActualImpact['quiescence'][number];

/** The steps after that of configuration, in the order of their operations from the fourth on. */
const LATER: readonly (readonly [Pause, Outcome, ...Quiescence['outcomes'][number][]])[] = [
  [
    WHOLE,
    { status: 'FAILED', diagnostic: TIMEOUT },
    { kind: 'REQUESTED' },
    { kind: 'CONFIRMED' },
    { kind: 'FAILED', diagnostic: TIMEOUT },
    { kind: 'RELEASED' },
  ],
  [NO_PAUSE, { status: 'APPLYING' }],
  [
    WHOLE,
    { status: 'APPLYING' },
    { kind: 'REQUESTED' },
    {
      kind: 'UNCERTAIN',
      diagnostic: {
        kind: 'QUIESCENCE',
        operation: 6,
        message:
          'the original coordinator left while the gate was engaged; its fenced lease owns cleanup',
      },
    },
  ],
  [NO_PAUSE, { status: 'UNATTEMPTED' }],
  [SUBGRAPH, { status: 'APPLIED' }, { kind: 'REQUESTED' }, { kind: 'CONFIRMED' }],
  [NO_PAUSE, { status: 'UNATTEMPTED' }],
];

const planned = (pause: Pause, effects: Effects): PlannedImpact => ({
  completeness: COMPLETE,
  pause,
  effects,
});

const configured: ReportedStep = {
  operations: { first: 1, last: LAST_CONFIGURATION },
  planned: {
    completeness: { status: 'INCOMPLETE', diagnostics: DIAGNOSTICS },
    pause: SUBGRAPH,
    effects: EFFECTS,
  },
  actual: {
    outcome: { status: 'APPLIED' },
    quiescence: [
      {
        requirement: SUBGRAPH,
        outcomes: [{ kind: 'REQUESTED' }, { kind: 'CONFIRMED' }, { kind: 'RELEASED' }],
      },
    ],
    effects: EFFECTS,
  },
};

/**
 * A report made by hand in which every kind of operation, reason, effect, outcome, pause and
 * coverage occurs; no single transaction comes to all of them.
 */
export const WHOLE_REPORT: TransactionReport = {
  domain: DOMAIN,
  position: OPERATIONS.length,
  planning_basis: '5e'.repeat(32),
  completeness: { status: 'INCOMPLETE', diagnostics: DIAGNOSTICS },
  operations: OPERATIONS.map((operation, index) => {
    const number = index + 1;
    const isConfiguration = number <= LAST_CONFIGURATION;
    const kind = REASON_OF[operation.kind];
    return {
      number,
      operation: { ...operation, domain: DOMAIN },
      execution_step: isConfiguration ? configured.operations : { first: number, last: number },
      completeness: number === 2 ? { status: 'INCOMPLETE', diagnostics: DIAGNOSTICS } : COMPLETE,
      reasons: [{ kind, ...REASONS[kind] }],
    };
  }),
  execution_steps: [
    configured,
    ...LATER.map(([pause, outcome, ...outcomes], index): ReportedStep => {
      const number = LAST_CONFIGURATION + 1 + index;
      return {
        operations: { first: number, last: number },
        planned: planned(pause, NO_EFFECTS),
        actual: {
          outcome,
          quiescence: outcomes.length === 0 ? [] : [{ requirement: pause, outcomes }],
          effects: NO_EFFECTS,
        },
      };
    }),
  ],
  summary: { pause: SUBGRAPH },
};

/** Where its transaction stands. */
export const WHOLE_STANDING: TransactionStanding = {
  transaction_id: 't1',
  domain: DOMAIN,
  state: 'FAILED',
  accepted_operations: OPERATIONS.length,
  applied_operations: LAST_CONFIGURATION,
  failing_operation: 4,
  error: TIMEOUT.message,
};
