import type { ExecutionPlan, SecretReference, UdfPlan } from '@nervix/model';
import type { BranchLiterals } from '../branch/branch-literals.js';
import type { SecretReading } from '../connector/client-secrets.js';
import type { HttpListenerOptions } from '../connector/http/http-listener.js';
import type { SecureHost } from '../connector/http/secure-hosts.js';
import type { AdmittedHold } from '../domain/admitted-hold.js';
import type { DrainResult } from '../domain/domain-runtime.js';
import type { DomainStatus } from '../domain/domain-status.js';
import type { LogLevel, LogRecord } from '../log.js';
import type { MetricSample } from '../metrics/metric-sample.js';
import type { MemoryPressureLimits } from '../pressure/memory-pressure.js';
import type { SubscriptionEvent, SubscriptionRequest } from '../relay/subscription.js';

/** How a data plane is set up; plain data, except for the callbacks. */
export interface DataPlaneOptions {
  /** The data listener of HTTP endpoints, with its limits. */
  readonly http: HttpListenerOptions;
  /**
   * The data listener of virtual hosts that are served over TLS, which is open while there are any.
   * Absent, no host can be served so.
   */
  readonly https?: HttpListenerOptions;
  /** Leaves the data listener closed until {@link DataPlane.listen}. Default false. */
  readonly isListeningDeferred?: boolean;
  /** Name of this node in metric labels. Default `-`. */
  readonly nodeId?: string;
  /** Default `info`. */
  readonly logLevel?: LogLevel;
  readonly onLog?: (record: LogRecord) => void;
  /**
   * Reads the current values of secrets of a domain, for every attempt of a client to connect. It
   * never rejects. Default: there are none.
   */
  readonly readSecrets?: (
    domain: string,
    secrets: readonly SecretReference[],
  ) => Promise<SecretReading>;
  /**
   * The data plane failed for good: its worker ended by itself or an invariant broke. Every call
   * that is under way is rejected as well. Default: log only.
   */
  readonly onFailure?: (error: Error) => void;
  /**
   * Milliseconds for the drain before a plan replaces another, and for which part of a graph is held for
   * a plan that was prepared. Default 60 s.
   */
  readonly alterationDrainMs?: number;
  /** How often idle branches are looked for. Default 30 s. */
  readonly branchScanMs?: number;
  /** Holds intake while memory is short; absent never does. */
  readonly memory?: MemoryPressureLimits;
  /** Messages that close an ingest group. Default 1024. */
  readonly ingestGroupMessagesMax?: number;
  /** A source quiet for so long closes its ingest group. Default 5 ms. */
  readonly ingestGroupIdleMs?: number;
}

/**
 * Takes the events of a subscription. Rows count against the subscription's credit until the
 * returned promise resolves: a reader that is slow to resolve slows or thins its subscription.
 */
export type SubscriptionReader = (event: SubscriptionEvent) => Promise<void> | undefined;

/** An open subscription. */
export interface SubscriptionHandle {
  /** Ends the subscription; events that are under way may still come. */
  close(): Promise<void>;
}

/** A data plane: runs the plans of any number of domains behind one data listener. */
export interface DataPlane {
  /** Where the data listener is reached; port 0 before it listens. */
  readonly httpAddress: { readonly host: string; readonly port: number };
  /**
   * Opens the data listener, when the options deferred it. Producers find no listener before, rather
   * than one that does not know their endpoints yet. The HTTPS listener lets connections wait till then.
   *
   * @throws RuntimeError `RUNTIME_LISTEN_FAILED`
   */
  listen(): Promise<void>;
  /**
   * Makes room for a plan: checks it, and drains what it will replace, which stays held. {@link
   * DataPlane.install} or {@link DataPlane.release} must follow. Nodes are held for
   * {@link DataPlaneOptions.alterationDrainMs} in all, asked for again or not; a whole domain until then.
   *
   * @param admitted what is held even if the plan replaces less; nothing when absent
   * @throws RuntimeError `RUNTIME_ROUTE_CONFLICT`, `RUNTIME_UDF_FAILED` or `RUNTIME_DRAIN_TIMEOUT`;
   * nothing is held then
   */
  prepare(plan: ExecutionPlan, admitted?: AdmittedHold): Promise<void>;
  /**
   * Loads UDFs and runs their tests, apart from what runs.
   *
   * @returns why the first that cannot be used cannot, or undefined
   */
  prepareUdfs(udfs: readonly UdfPlan[]): Promise<string | undefined>;
  /** Lets what a preparation holds go on. */
  release(domain: string): Promise<void>;
  /**
   * Runs a plan. Resolves when its endpoints take requests. A plan that replaces another of its
   * domain waits for that one to drain, unless nodes were held for it and the hold has lapsed: what
   * these still have is refused then.
   *
   * @throws RuntimeError `RUNTIME_INVALID_PLAN`, `RUNTIME_UDF_FAILED`, `RUNTIME_STALE_PLAN`,
   * `RUNTIME_ROUTE_CONFLICT` or `RUNTIME_DRAIN_TIMEOUT`; what ran before goes on
   */
  install(plan: ExecutionPlan): Promise<void>;
  /**
   * Serves virtual hosts of a domain over TLS, in place of all those that it had, whether or not the
   * domain runs. Handshakes present from then on what is given here; connections go on.
   *
   * @param hosts all of the domain; none gives its names up
   * @throws RuntimeError `RUNTIME_SECURE_HOST_REFUSED` or `RUNTIME_LISTEN_FAILED`; what was served
   * before is so still
   */
  serveHosts(domain: string, hosts: readonly SecureHost[]): Promise<void>;
  /** Ends execution of a domain at once; its endpoints answer 503. */
  stopDomain(domain: string): Promise<void>;
  /** Ends a domain and forgets it; its endpoints answer 404, and its hosts are served no more. */
  removeDomain(domain: string): Promise<void>;
  /**
   * Refuses intake everywhere, finishes what was admitted, then ends execution.
   *
   * @param deadlineMs time for it; what is left then is refused to its sources
   */
  drain(deadlineMs: number): Promise<DrainResult>;
  /** Every series, with present levels. */
  metrics(): Promise<readonly MetricSample[]>;
  /** Whether a concrete branch lives on a relay of a running domain; false for anything else. */
  hasBranch(domain: string, relay: string, key: BranchLiterals): Promise<boolean>;
  /** @throws RuntimeError `RUNTIME_DOMAIN_NOT_RUNNING` when the domain was never installed */
  nodeStatus(domain: string): Promise<DomainStatus>;
  /**
   * Opens a live view of a relay; no event precedes the returned promise.
   *
   * @throws RuntimeError `RUNTIME_DOMAIN_NOT_RUNNING` or `RUNTIME_UNKNOWN_RELAY`
   */
  openSubscription(
    request: SubscriptionRequest,
    reader: SubscriptionReader,
  ): Promise<SubscriptionHandle>;
  /** Ends everything at once. {@link DataPlane.drain} first to lose nothing. */
  close(): Promise<void>;
}
