import type { DataType } from '../data-type.js';
import type { Expression } from '../expression.js';
import type { EmitterBatch } from '../models/emitter.js';
import type { EmitterSink, IcebergCommit, SinkMode } from '../models/emitter-sink.js';
import type { IngestSource, QuiesceMode } from '../models/ingest-source.js';
import type { DecodeErrorPolicy, TimestampSource } from '../models/ingestor.js';
import type { PlacementPolicy } from '../models/placement.js';
import type { SchemaField } from '../models/schema.js';
import type { AvroWireType, JsonWireType, WireField } from '../models/wire-schema.js';
import type {
  AckParticipation,
  Branching,
  Collect,
  EntryRoute,
  Flush,
  FlushedRoute,
  GeneralErrorPolicy,
  InputRelay,
  MaterializedDependency,
} from '../route.js';

type MaterializedPolicy = MaterializedDependency['policy'];

/** What `ALTER RELAY` does. */
export type RelayOperation =
  | { readonly op: 'set_capacity'; readonly capacity: string }
  | { readonly op: 'set_schema'; readonly schema: string }
  | { readonly op: 'set_branching'; readonly branching: Branching }
  | { readonly op: 'set_materialized_state' }
  | { readonly op: 'drop_materialized_state' };

/** `where` null drops the condition. */
export type InputOperation =
  | { readonly op: 'add_input'; readonly input: InputRelay }
  | { readonly op: 'drop_input'; readonly relay: string }
  | { readonly op: 'alter_input'; readonly relay: string; readonly where: Expression | null }
  | { readonly op: 'set_collect'; readonly collect: Collect }
  | { readonly op: 'drop_collect' }
  | { readonly op: 'set_acknowledgement'; readonly acknowledgement: AckParticipation };

/** Operations on a filter. */
export type FilterOperation =
  | { readonly op: 'set_filter'; readonly filter: Expression }
  | { readonly op: 'drop_filter' };

/** Operations on what a node reads the latest record of. */
export type DependencyOperation =
  | { readonly op: 'add_dependency'; readonly dependency: MaterializedDependency }
  | { readonly op: 'drop_dependency'; readonly relay: string }
  | {
      readonly op: 'alter_dependency';
      readonly relay: string;
      readonly policy: MaterializedPolicy;
    };

/** Removes an output. */
export interface DropRoute {
  readonly op: 'drop_route';
  readonly relay: string;
}
/** Operations on outputs. */
export type RouteOperation<Route> =
  | { readonly op: 'add_route'; readonly route: Route }
  | { readonly op: 'replace_route'; readonly route: Route }
  | DropRoute;

/** Changes the branching of a node. */
export interface SetBranching {
  readonly op: 'set_branching';
  readonly branching: Branching;
}
/** Changes how long a node holds or remembers. */
export interface SetMaxTime {
  readonly op: 'set_max_time';
  readonly maxTime: string;
}

type ConsumerOperation<Route> =
  | InputOperation
  | FilterOperation
  | DependencyOperation
  | RouteOperation<Route>;

/** What `ALTER JUNCTION` does. */
export type JunctionOperation = ConsumerOperation<FlushedRoute> | SetBranching;
/** What `ALTER DEDUPLICATOR` does. */
export type DeduplicatorOperation =
  | JunctionOperation
  | SetMaxTime
  | { readonly op: 'set_deduplicate_on'; readonly keys: readonly Expression[] };
/** What `ALTER REORDERER` does. */
export type ReordererOperation =
  | JunctionOperation
  | SetMaxTime
  | { readonly op: 'set_by'; readonly keys: readonly Expression[] };
/** What `ALTER REINGESTOR` does. */
export type ReingestorOperation = ConsumerOperation<EntryRoute>;

/** What `ALTER GENERATOR` does. */
export type GeneratorOperation =
  | { readonly op: 'set_state'; readonly relay: string }
  | { readonly op: 'set_each'; readonly eachNanos: string }
  | SetBranching
  | RouteOperation<FlushedRoute>;

/** What `ALTER INGESTOR` does. */
export type IngestorOperation =
  | { readonly op: 'set_source'; readonly source: IngestSource }
  | { readonly op: 'set_quiesce'; readonly quiesce: QuiesceMode }
  | { readonly op: 'set_decode_using'; readonly codec: string }
  | { readonly op: 'set_timestamp'; readonly timestamp: TimestampSource }
  | { readonly op: 'drop_timestamp' }
  | FilterOperation
  | RouteOperation<EntryRoute>
  | { readonly op: 'set_general_error'; readonly policy: GeneralErrorPolicy }
  | { readonly op: 'set_decode_error'; readonly policy: DecodeErrorPolicy }
  | { readonly op: 'drop_decode_error' };

/** What `ALTER EMITTER` does. */
export type EmitterOperation =
  | InputOperation
  | {
      readonly op: 'set_sink';
      readonly sink: EmitterSink;
      /** Of an HTTP sink, whose clause is part of it; `kept` for all others. */
      readonly body:
        | { readonly kind: 'kept' }
        | { readonly kind: 'encode'; readonly codec: string }
        | { readonly kind: 'without_body' };
    }
  | { readonly op: 'set_client'; readonly client: string }
  | { readonly op: 'set_encode_using'; readonly codec: string }
  | { readonly op: 'drop_encode' }
  | { readonly op: 'set_mode'; readonly mode: SinkMode }
  | { readonly op: 'set_batch'; readonly batch: EmitterBatch }
  | { readonly op: 'drop_batch' }
  | { readonly op: 'set_flush'; readonly flush: Flush }
  | { readonly op: 'set_commit'; readonly commit: IcebergCommit };

/** What `ALTER PLACEMENT` does. */
export type PlacementOperation =
  | { readonly op: 'set_policy'; readonly policy: PlacementPolicy }
  | { readonly op: 'set_rank'; readonly rank: string }
  | { readonly op: 'drop_rank' }
  | { readonly op: 'set_ends'; readonly from: readonly string[]; readonly to: readonly string[] }
  | { readonly op: 'rename'; readonly name: string };

interface DropField {
  readonly op: 'drop_field';
  readonly field: string;
}
interface RenameField {
  readonly op: 'rename_field';
  readonly field: string;
  readonly name: string;
}
interface SetFieldOptional {
  readonly op: 'set_field_optional';
  readonly field: string;
  readonly optional: boolean;
}

/** What `ALTER SCHEMA` does. */
export type SchemaOperation =
  | { readonly op: 'add_field'; readonly field: SchemaField }
  | DropField
  | RenameField
  | { readonly op: 'set_field_type'; readonly field: string; readonly type: DataType }
  | SetFieldOptional
  | { readonly op: 'set_field_sensitive'; readonly field: string; readonly sensitive: boolean };

/** What `ALTER WIRE … SCHEMA` does. */
export type WireSchemaOperation<Type extends string> =
  | { readonly op: 'set_mode'; readonly mode: 'STRICT' | 'LOOSE' }
  | { readonly op: 'add_field'; readonly field: WireField<Type> }
  | DropField
  | RenameField
  | { readonly op: 'set_field_type'; readonly field: string; readonly type: Type }
  | SetFieldOptional;

interface Alteration<Kind extends string, Operation> {
  readonly modelKind: Kind;
  /** At least one, in written order. */
  readonly operations: readonly Operation[];
}

/** What an ALTER of each kind that has one does. */
export type ModelAlteration =
  | Alteration<'relay', RelayOperation>
  | Alteration<'junction', JunctionOperation>
  | Alteration<'deduplicator', DeduplicatorOperation>
  | Alteration<'reorderer', ReordererOperation>
  | Alteration<'reingestor', ReingestorOperation>
  | Alteration<'generator', GeneratorOperation>
  | Alteration<'ingestor', IngestorOperation>
  | Alteration<'emitter', EmitterOperation>
  | Alteration<'placement', PlacementOperation>
  | Alteration<'schema', SchemaOperation>
  | Alteration<'wire_json_schema', WireSchemaOperation<JsonWireType>>
  | Alteration<'wire_cbor_schema', WireSchemaOperation<JsonWireType>>
  | Alteration<'wire_avro_schema', WireSchemaOperation<AvroWireType>>;
/** Kinds of models that `ALTER` takes. */
export type AlterableKind = ModelAlteration['modelKind'];
