/** What a transaction would do, as documents spell it. Plain data; all lists that are sets are sorted. */
export interface TransactionReport {
  readonly domain: string;
  /** Number of accepted operations. */
  readonly position: number;
  /** Fingerprint of the captured inputs, 64 lower-case hexadecimal digits. */
  readonly planning_basis: string;
  readonly completeness: Completeness;
  readonly operations: readonly ReportedOperation[];
  readonly execution_steps: readonly ReportedStep[];
  readonly summary: { readonly pause: Pause };
}

export interface ReportedOperation {
  /** From 1. */
  readonly number: number;
  readonly operation: OperationSummary;
  readonly execution_step: OperationRange;
  readonly completeness: Completeness;
  readonly reasons: readonly Reason[];
}

export interface ReportedStep {
  readonly operations: OperationRange;
  readonly planned: PlannedImpact;
  readonly actual: ActualImpact;
}

/** First and last operation of a step, both from 1 and inclusive. */
export interface OperationRange {
  readonly first: number;
  readonly last: number;
}

export interface PlannedImpact {
  readonly completeness: Completeness;
  readonly pause: Pause;
  readonly effects: Effects;
}

/** What happened so far; a plan is `UNATTEMPTED` throughout. */
export interface ActualImpact {
  readonly outcome:
    | { readonly status: 'UNATTEMPTED' | 'APPLYING' | 'APPLIED' }
    | { readonly status: 'FAILED'; readonly diagnostic: ReportDiagnostic };
  readonly quiescence: readonly {
    readonly requirement: Pause;
    readonly outcomes: readonly {
      readonly kind: 'REQUESTED' | 'CONFIRMED' | 'FAILED' | 'UNCERTAIN' | 'RELEASED';
      readonly diagnostic?: ReportDiagnostic;
    }[];
  }[];
  readonly effects: Effects;
}

export interface OperationSummary {
  readonly kind: OperationKind;
  readonly domain: string;
  readonly node?: ReportNode;
  readonly resource?: string;
  readonly requested?: 'LATEST' | number;
  readonly version?: number;
  readonly processor?: string;
}

export type OperationKind =
  | 'CREATE_CONFIGURATION'
  | 'ALTER_CONFIGURATION'
  | 'DROP_CONFIGURATION'
  | 'ALTER_DOMAIN'
  | 'START_DOMAIN'
  | 'STOP_DOMAIN'
  | 'CREATE_RESOURCE'
  | 'REBIND_RESOURCE'
  | 'RESET_WASM_STATE';

/** Kinds as reports spell them: `lookup` for a hash map. */
export interface ReportNode {
  readonly kind: string;
  readonly identifier: string;
}

export interface ReportDiagnostic {
  readonly kind:
    | 'PLANNING'
    | 'TOPOLOGY'
    | 'QUIESCENCE'
    | 'OWNERSHIP'
    | 'ACTIVATION'
    | 'APPLICATION'
    | 'RECOVERY';
  readonly operation: number | null;
  readonly message: string;
}

export type Completeness =
  | { readonly status: 'COMPLETE' }
  | { readonly status: 'INCOMPLETE'; readonly diagnostics: readonly ReportDiagnostic[] };

/** Which branches of a node; null for what only configures. */
export type Branches =
  | { readonly kind: 'ALL' | 'UNBRANCHED' }
  | { readonly kind: 'ALL_OF_BRANCH'; readonly branch: string }
  | { readonly kind: 'SELECTED'; readonly branch: string; readonly keys: readonly string[] };

export interface Coverage {
  readonly node: ReportNode;
  readonly branches: Branches | null;
}

/** Something with the numbers of the operations that it comes from, ascending. */
export type Attributed<Item> = Item & { readonly attribution: readonly number[] };

export type Pause =
  | { readonly kind: 'NO_PAUSE' }
  | { readonly kind: 'DOMAIN'; readonly domain: string }
  | { readonly kind: 'SUBGRAPH'; readonly scope: PauseScope };

export interface PauseScope {
  readonly domain: string;
  readonly nodes: readonly Attributed<{ readonly coverage: Coverage }>[];
  readonly gate_boundaries: readonly Attributed<{ readonly boundary: GateBoundary }>[];
}

/** A relay that is closed for whoever publishes from outside the paused nodes. */
export interface GateBoundary {
  readonly relay: string;
  readonly branches: Branches;
}

export interface Reason {
  readonly kind:
    | 'CONFIGURATION'
    | 'DOMAIN_PLACEMENT'
    | 'DOMAIN_START'
    | 'DOMAIN_STOP'
    | 'RESOURCE_CATALOG'
    | 'RESOURCE_REBINDING'
    | 'WASM_STATE_RESET';
  readonly node?: ReportNode;
  readonly aspect?: string;
  readonly resource?: string;
  readonly from_version?: number;
  readonly to_version?: number;
}

export type EdgeKind =
  | 'CONFIGURATION_DEPENDENCY'
  | 'DATAFLOW'
  | 'MESSAGE_ERROR'
  | 'CORRELATION_TIMEOUT'
  | 'MATERIALIZED_STATE';

export interface TopologySide {
  readonly nodes: readonly Attributed<{ readonly coverage: Coverage }>[];
  readonly edges: readonly Attributed<{
    readonly source: Coverage;
    readonly target: Coverage;
    readonly kind: EdgeKind;
  }>[];
}

export interface Effects {
  readonly changed_configuration: readonly Attributed<{
    readonly transition: {
      readonly kind: 'CREATED' | 'CHANGED' | 'DROPPED';
      readonly node: ReportNode;
    };
  }>[];
  readonly topology: { readonly before: TopologySide; readonly after: TopologySide };
  readonly ownership_moves: readonly Attributed<{
    readonly node: Coverage;
    readonly source: string;
    readonly destination: string;
  }>[];
  readonly lifecycle: readonly Attributed<{
    readonly domain: string;
    readonly action: 'START' | 'STOP';
  }>[];
  readonly activations: readonly Attributed<{
    readonly node: Coverage;
    readonly action: 'ACTIVATE' | 'DEACTIVATE' | 'REFRESH_HTTPS_LISTENER';
  }>[];
  readonly rebuilds: readonly Attributed<{
    readonly node: Coverage;
    readonly reason: 'CONFIGURATION' | 'OWNERSHIP' | 'RECOVERY';
  }>[];
  readonly state_resets: readonly Attributed<{ readonly node: Coverage; readonly state: string }>[];
  readonly force_flushes: readonly Attributed<{ readonly node: Coverage }>[];
  readonly resource_catalog: readonly Attributed<{
    readonly resource: string;
    readonly action: 'CREATE';
  }>[];
  readonly resource_bindings: readonly Attributed<{
    readonly node: ReportNode;
    readonly resource: string;
    readonly requested: 'LATEST' | number;
    readonly version: number;
  }>[];
}

const NO_SIDE: TopologySide = { nodes: [], edges: [] };

/** Nothing happens. */
export const NO_EFFECTS: Effects = {
  changed_configuration: [],
  topology: { before: NO_SIDE, after: NO_SIDE },
  ownership_moves: [],
  lifecycle: [],
  activations: [],
  rebuilds: [],
  state_resets: [],
  force_flushes: [],
  resource_catalog: [],
  resource_bindings: [],
};

export const NO_PAUSE: Pause = { kind: 'NO_PAUSE' };
export const COMPLETE: Completeness = { status: 'COMPLETE' };
