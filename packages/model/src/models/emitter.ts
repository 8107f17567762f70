import type {
  AckParticipation,
  Construction,
  Flush,
  GeneralErrorPolicy,
  Inputs,
  MaterializedDependency,
  MessageErrorPolicy,
} from '../route.js';
import type { EmitterSink } from './emitter-sink.js';

/** Bounds of one write to the sink. */
export interface EmitterBatch {
  /** Decimal text, 1 to 65536. */
  readonly maxMessages: string;
  /** A whole number and its unit, such as `4MiB`. */
  readonly maxSize: string;
}

/** What `CREATE EMITTER` defines. */
export interface EmitterModel {
  readonly kind: 'emitter';
  readonly name: string;
  readonly acknowledgement: AckParticipation;
  readonly inputs: Inputs;
  readonly dependencies: readonly MaterializedDependency[];
  readonly sink: EmitterSink;
  /** Codec of the payload; null for requests WITHOUT BODY and sinks that take values or records. */
  readonly encodeUsing: string | null;
  readonly construction: Construction;
  readonly batch: EmitterBatch | null;
  readonly flush: Flush;
  readonly messageError: MessageErrorPolicy;
  readonly generalError: GeneralErrorPolicy;
}
