import type { CodecPlan } from './codec-plan.js';
import type { EndpointMode } from './models/ingest-source.js';
import type { SchemaField } from './models/schema.js';
import type { UdfModel } from './models/udf.js';
import type { GeneralErrorPolicy } from './route.js';
import type { TypedAggregate, TypedAssignment, TypedExpression } from './typed-expression.js';

/** Durations are nanoseconds and sizes bytes, both exact. */
export type FlushPlan =
  | { readonly kind: 'each'; readonly intervalNanos: bigint; readonly maxBatchBytes: bigint }
  | { readonly kind: 'immediate' };

/** Builds one output record from one input row; assignments run in order. */
export interface ConstructionPlan {
  readonly assignments: readonly TypedAssignment[];
  /** Reads the finished record through the `output` row. */
  readonly where: TypedExpression | null;
}

/** What becomes of a record that fails, ready to run. */
export type MessageErrorPlan =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'log' }
  | {
      readonly kind: 'send_to';
      readonly relay: string;
      /** Build the error record; read `error`, `input`, `partial_output`, `branch`, `output`. */
      readonly assignments: readonly TypedAssignment[];
    };

/** An output that leaves by its own flush policy. */
export interface RoutePlan {
  readonly relay: string;
  readonly construction: ConstructionPlan;
  readonly flush: FlushPlan;
  readonly messageError: MessageErrorPlan;
}

/** An output of a node where branches begin. */
export interface EntryRoutePlan extends RoutePlan {
  /** null for an unbranched route; else the assignments that build the key of `branch`. */
  readonly branch: {
    readonly branch: string;
    readonly assignments: readonly TypedAssignment[];
  } | null;
}

/** A relay that a node reads. */
export interface InputPlan {
  readonly relay: string;
  readonly where: TypedExpression | null;
}
/** How input is gathered before it is worked on. */
export interface CollectPlan {
  readonly intervalNanos: bigint;
  readonly maxBatchBytes: bigint | null;
}

/** What the plans of all processors have. */
export interface ProcessorPlan {
  readonly name: string;
  readonly attached: boolean;
  readonly inputs: readonly InputPlan[];
  readonly collect: CollectPlan | null;
  readonly filter: TypedExpression | null;
  /** Schema of the rows read. */
  readonly inputSchema: string;
  /** Branch declaration, or null when unbranched. */
  readonly branch: string | null;
}

/** A junction, ready to run. */
export interface JunctionPlan extends ProcessorPlan {
  readonly kind: 'junction';
  readonly routes: readonly RoutePlan[];
}
/** A deduplicator, ready to run. */
export interface DeduplicatorPlan extends ProcessorPlan {
  readonly kind: 'deduplicator';
  readonly keys: readonly TypedExpression[];
  readonly maxTimeNanos: bigint;
  readonly routes: readonly RoutePlan[];
}
/** A width or a step. */
export interface WindowBoundPlan {
  readonly messages: number | null;
  readonly durationNanos: bigint | null;
}
/** An output that leaves when its window does. */
export interface WindowRoutePlan {
  readonly relay: string;
  readonly aggregates: readonly TypedAggregate[];
  readonly construction: ConstructionPlan;
  readonly messageError: MessageErrorPlan;
}
/** A window processor, ready to run. */
export interface WindowPlan extends ProcessorPlan {
  readonly kind: 'window_processor';
  readonly width: WindowBoundPlan;
  readonly step: WindowBoundPlan;
  readonly maxStateBytes: bigint | null;
  readonly routes: readonly WindowRoutePlan[];
}

/** The fields of the records of relays. */
export interface SchemaPlan {
  readonly name: string;
  readonly fields: readonly SchemaField[];
}
/** How streams are split by key. */
export interface BranchPlan {
  readonly name: string;
  /** Schema of the key fields. */
  readonly schema: string;
  readonly ttlNanos: bigint;
  readonly maxInstances: number | null;
}
/** A relay, ready to run. */
export interface RelayPlan {
  readonly name: string;
  readonly schema: string;
  readonly branch: string | null;
  readonly capacity: number;
}
/** A path that requests arrive at. */
export interface EndpointPlan {
  readonly name: string;
  readonly vhost: string;
  /** Lower-case hostnames of the virtual host. */
  readonly hostnames: readonly string[];
  readonly path: string;
  readonly type: 'HTTP';
  /** Absent where the virtual host has no TLS: either listener serves what the other does not. */
  readonly isSecure?: true;
}
/** A value of a secret; a null key stands for the value without a key, or else for the only one. */
export interface SecretReference {
  readonly name: string;
  readonly key: string | null;
}
/** Where requests are sent to. */
export interface HttpClientPlan {
  readonly name: string;
  readonly type: 'HTTP';
  /** Origin such as `http://127.0.0.1:9000`, or the secret that holds one. */
  readonly endpoint: string | SecretReference;
  /** Milliseconds, or the secret that holds them. */
  readonly timeoutMs: number | SecretReference;
  /** The resource version whose files the client uses; absent without one. */
  readonly mount?: ClientMountPlan;
  /** How the client trusts and proves itself; absent where the platform's own way is meant. */
  readonly tls?: ClientTlsPlan;
}
/** A resource version as a client sees it. */
export interface ClientMountPlan {
  readonly resource: string;
  readonly version: number;
}
/** A file that a client's settings name. A plan that is run holds contents and secrets alone. */
export type ClientFile =
  /** Of the mounted version, by its path there. */
  | { readonly kind: 'mounted'; readonly path: string }
  /** Of the node that runs the client. */
  | { readonly kind: 'local'; readonly path: string }
  | { readonly kind: 'content'; readonly text: string }
  /** The content itself, as each attempt to connect finds it. */
  | { readonly kind: 'secret'; readonly secret: SecretReference };
/** Files in PEM of a client that speaks TLS. */
export interface ClientTlsPlan {
  /** Certificates that are trusted besides those of the platform. */
  readonly ca?: ClientFile;
  /** What the client proves itself with. */
  readonly identity?: { readonly certificate: ClientFile; readonly key: ClientFile };
}

/** What senders meet while intake is held. */
export type QuiescePlan =
  | { readonly kind: 'reject'; readonly retryAfterNanos: bigint }
  | { readonly kind: 'buffer'; readonly maxBytes: bigint };

/** What becomes of a payload that cannot be read. */
export type DecodeErrorPlan =
  | { readonly kind: 'log' }
  | { readonly kind: 'retry' }
  | {
      readonly kind: 'send_to';
      readonly relay: string;
      readonly assignments: readonly TypedAssignment[];
    };

/** An ingestor, ready to run. */
export interface IngestorPlan {
  readonly kind: 'ingestor';
  readonly name: string;
  readonly endpoint: string;
  readonly mode: EndpointMode['kind'];
  /** Only for `ack_parallel`. */
  readonly ackWindow: { readonly max: number; readonly timeoutNanos: bigint } | null;
  readonly quiesce: QuiescePlan;
  readonly codec: string;
  /** Schema the codec decodes into. */
  readonly schema: string;
  readonly timestamp: { readonly kind: 'now' } | { readonly kind: 'at'; readonly field: string };
  readonly filter: TypedExpression | null;
  readonly routes: readonly EntryRoutePlan[];
  readonly decodeError: DecodeErrorPlan | null;
  readonly generalError: GeneralErrorPolicy;
}

/** Requests that records are sent with. */
export interface HttpSinkPlan {
  readonly kind: 'http';
  readonly client: string;
  readonly method: TypedExpression;
  readonly path: TypedExpression;
  readonly backoffNanos: bigint;
  readonly backoffMaxNanos: bigint;
  /** null sends no body. */
  readonly codec: string | null;
}
/** An emitter, ready to run. */
export interface EmitterPlan {
  readonly kind: 'emitter';
  readonly name: string;
  readonly attached: boolean;
  readonly inputs: readonly InputPlan[];
  readonly collect: CollectPlan | null;
  readonly inputSchema: string;
  readonly sink: HttpSinkPlan;
  /** Record the codec encodes; null without a body. */
  readonly construction: ConstructionPlan;
  readonly outputSchema: string | null;
  /** Header writes, evaluated after construction; each pair is (name, value). */
  readonly headers: readonly {
    readonly name: TypedExpression;
    readonly value: TypedExpression;
  }[];
  readonly flush: FlushPlan;
  readonly messageError: MessageErrorPlan;
  readonly generalError: GeneralErrorPolicy;
}

/** A function that expressions call by its name. */
export type UdfPlan = Omit<UdfModel, 'kind'>;

/**
 * A domain's complete typed graph at one revision: all the runtime needs, with no model, no text and
 * nothing left to decide. Plain data that survives structured clone.
 */
export interface ExecutionPlan {
  readonly domain: string;
  /** Version of its typed expressions, `TYPED_PROGRAM_VERSION` of whoever made it. */
  readonly programVersion: number;
  /** Revision of the committed models this was built from; later plans have larger ones. */
  readonly revision: number;
  /** Start generation of the domain. */
  readonly generation: number;
  readonly schemas: readonly SchemaPlan[];
  readonly codecs: readonly CodecPlan[];
  readonly branches: readonly BranchPlan[];
  readonly udfs: readonly UdfPlan[];
  readonly relays: readonly RelayPlan[];
  readonly endpoints: readonly EndpointPlan[];
  readonly clients: readonly HttpClientPlan[];
  readonly ingestors: readonly IngestorPlan[];
  readonly processors: readonly (JunctionPlan | DeduplicatorPlan | WindowPlan)[];
  readonly emitters: readonly EmitterPlan[];
}
