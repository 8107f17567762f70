export { AckLedger, type AckObserver } from './ack/ack-ledger.js';
export { AckSet } from './ack/ack-set.js';
export { type ParentShare, unionAcks } from './ack/child-acks.js';
export { BranchKey, BranchKeys } from './branch/branch-key.js';
export {
  type BranchLimits,
  BranchRegistry,
  type EvictionReason,
} from './branch/branch-registry.js';
export type { Clock, Timer } from './clock/clock.js';
export { SystemClock } from './clock/system-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export * from './codec.js';
export type { HttpListenerOptions } from './connector/http/http-listener.js';
export * from './data-plane.js';
export type { DrainResult } from './domain/domain-runtime.js';
export {
  RuntimeError,
  type RuntimeErrorDetails,
  runtimeError,
} from './errors.js';
export type { LogSink } from './log.js';
export type { EmitterFigures } from './node/emitter.js';
export type { IngestorFigures } from './node/ingestor.js';
export { Relay, type RelayConsumer, type RelayObserver } from './relay/relay.js';
export type { RelayBatch } from './relay/relay-batch.js';
export { DomainUdfs, type UdfLimits } from './udf/domain-udfs.js';
export { prepareUdf } from './udf/prepare-udf.js';
export type { UdfCallContext, UdfCalls } from './udf/udf-calls.js';
export { createInProcessDataPlane } from './worker/in-process-data-plane.js';
