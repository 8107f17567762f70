import type { SecretReference } from '@nervix/model';
import type { BranchLiterals } from '../branch/branch-literals.js';
import type { SecretReading } from '../connector/client-secrets.js';
import type { SecureHost } from '../connector/http/secure-hosts.js';
import type { AdmittedHold } from '../domain/admitted-hold.js';
import type { RuntimeErrorCode } from '../errors.js';
import type { LogRecord } from '../log.js';
import type { SubscriptionEvent, SubscriptionRequest } from '../relay/subscription.js';
import type { DataPlaneOptions } from './data-plane.js';
import type { PlanPatch } from './plan-patch.js';

/** Options as they cross the thread border. */
export type WorkerOptions = Omit<DataPlaneOptions, 'onLog' | 'onFailure' | 'readSecrets'>;

/** What the main thread asks of the worker. */
export type WorkerCall =
  | { readonly method: 'listen' }
  | {
      readonly method: 'prepare';
      readonly plan: PlanPatch;
      readonly admitted: AdmittedHold | undefined;
    }
  | { readonly method: 'release'; readonly domain: string }
  | { readonly method: 'install'; readonly plan: PlanPatch }
  | {
      readonly method: 'serve_hosts';
      readonly domain: string;
      readonly hosts: readonly SecureHost[];
    }
  | { readonly method: 'stop_domain'; readonly domain: string }
  | { readonly method: 'remove_domain'; readonly domain: string }
  | { readonly method: 'drain'; readonly deadlineMs: number }
  | { readonly method: 'metrics' }
  | {
      readonly method: 'has_branch';
      readonly domain: string;
      readonly relay: string;
      readonly key: BranchLiterals;
    }
  | { readonly method: 'node_status'; readonly domain: string }
  | {
      readonly method: 'open_subscription';
      readonly subscription: number;
      readonly request: SubscriptionRequest;
    }
  | { readonly method: 'close_subscription'; readonly subscription: number }
  | { readonly method: 'close' };

export type ToWorker =
  | { readonly kind: 'call'; readonly id: number; readonly call: WorkerCall }
  | { readonly kind: 'credit'; readonly subscription: number; readonly bytes: number }
  | { readonly kind: 'secrets'; readonly id: number; readonly reading: SecretReading };

/** An error as it crosses the thread border; `code` is null when it has none of this package. */
export interface PortableError {
  readonly code: RuntimeErrorCode | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;
}

export type FromWorker =
  | { readonly kind: 'ready'; readonly httpAddress: { host: string; port: number } }
  | { readonly kind: 'not_started'; readonly error: PortableError }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: PortableError }
  | { readonly kind: 'event'; readonly subscription: number; readonly event: SubscriptionEvent }
  | {
      readonly kind: 'read_secrets';
      readonly id: number;
      readonly domain: string;
      readonly secrets: readonly SecretReference[];
    }
  | { readonly kind: 'log'; readonly record: LogRecord };
