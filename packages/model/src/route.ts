import type { Expression, FieldScope } from './expression.js';

/** A named field's assignment in SET, DEFAULT or an error record. */
export interface Assignment {
  readonly target: AssignmentTarget;
  readonly value: Expression;
}
/** The field that is assigned. */
export interface AssignmentTarget {
  readonly scope: Extract<FieldScope, 'message' | 'output' | 'branch'> | null;
  readonly field: string;
}

/** The fields that a route copies. */
export type Inherit =
  | { readonly kind: 'all'; readonly except: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: readonly InheritedField[] };
/** A field that a route copies. */
export interface InheritedField {
  readonly name: string;
  readonly leakSensitive: boolean;
}

/** A call for its effect. */
export interface Invocation {
  readonly function: string;
  readonly arguments: readonly Expression[];
}

/** What a route does to build its output record; every part may be absent. */
export interface Construction {
  readonly inherit: Inherit | null;
  readonly set: readonly Assignment[];
  readonly where: Expression | null;
  readonly invoke: readonly Invocation[];
}

/** `BRANCHED BY <branch>` or `UNBRANCHED` of a relay or node. */
export type Branching =
  | { readonly kind: 'unbranched' }
  | { readonly kind: 'branched_by'; readonly branch: string };

/** Branch clause of an entry route, which may construct the key. */
export type RouteBranch =
  | { readonly kind: 'unbranched' }
  | {
      readonly kind: 'branched_by';
      readonly branch: string;
      readonly set: readonly Assignment[];
    };

/** Durations and sizes keep the author's spelling. */
export type Flush =
  | { readonly kind: 'each'; readonly interval: string; readonly maxBatchSize: string }
  | { readonly kind: 'immediate' };

/** What becomes of a record that fails. */
export type MessageErrorPolicy =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'log' }
  | { readonly kind: 'send_to'; readonly relay: string; readonly set: readonly Assignment[] };

/** What becomes of a failure of no single record. */
export type GeneralErrorPolicy = 'IGNORE' | 'LOG';

/** Route of a node that batches what it emits. Correlators and generators construct by SET and WHERE. */
export interface FlushedRoute {
  readonly relay: string;
  readonly construction: Construction;
  readonly flush: Flush;
  readonly messageError: MessageErrorPolicy;
}

/** Route of an ingestor or reingestor. */
export interface EntryRoute extends FlushedRoute {
  readonly branch: RouteBranch;
}

/** Route of a window or WASM processor, which emits without a flush policy. */
export interface UnflushedRoute {
  readonly relay: string;
  readonly construction: Construction;
  readonly messageError: MessageErrorPolicy;
}

/** A relay that a node reads, with its condition. */
export interface InputRelay {
  readonly relay: string;
  readonly where: Expression | null;
}
/** How input is gathered before it is worked on. */
export interface Collect {
  readonly interval: string;
  readonly maxBatchSize: string | null;
}
/** The relays that a node reads. */
export interface Inputs {
  readonly relays: readonly InputRelay[];
  readonly collect: Collect | null;
}

/** Whether a consumer takes part in its source's acknowledgement. */
export type AckParticipation = 'ATTACHED' | 'DETACHED';

/** A relay whose latest record a node reads. */
export interface MaterializedDependency {
  readonly relay: string;
  readonly policy:
    | { readonly kind: 'required_skip' }
    | { readonly kind: 'required_wait' }
    | { readonly kind: 'default'; readonly values: readonly Assignment[] };
}

/** Waits between attempts, in the author's spelling. */
export interface RetryPolicy {
  readonly backoff: string;
  readonly max: string;
}
