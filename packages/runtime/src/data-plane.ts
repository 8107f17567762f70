/**
 * The data plane in a worker thread, without the engine: what a process needs on its main thread to
 * start and steer one. The engine itself loads in the worker.
 */
export type { BranchLiterals } from './branch/branch-literals.js';
export type { SecretReading } from './connector/client-secrets.js';
export { areCertificates, identityDefect, type SecureHost } from './connector/http/secure-hosts.js';
export { type AdmittedHold, NOTHING_ADMITTED } from './domain/admitted-hold.js';
export type { DomainState, DomainStatus } from './domain/domain-status.js';
export { executionPause, type PauseLevel } from './domain/execution-delta.js';
export {
  type DrainTimeout,
  drainTimeoutText,
  NOTHING_PENDING,
  type PendingWork,
} from './domain/pending-work.js';
export type { RuntimeErrorCode } from './errors.js';
export type { LogLevel, LogRecord } from './log.js';
export type {
  ClockRates,
  CounterRates,
  DistributionWindows,
  HistogramSample,
  MetricSample,
  RollingWindows,
  ValueDistribution,
  ValueSample,
} from './metrics/metric-sample.js';
export type { MemoryPressureLimits } from './pressure/memory-pressure.js';
export type { SubscriptionEvent, SubscriptionRequest } from './relay/subscription.js';
export type {
  DataPlane,
  DataPlaneOptions,
  SubscriptionHandle,
  SubscriptionReader,
} from './worker/data-plane.js';
export { startDataPlane } from './worker/worker-data-plane.js';
