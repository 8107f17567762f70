import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLUSTER_CHECKS, COMMON_CHECKS, STORE_CHECKS } from '../node/node-option-checks.ts';
import {
  invalidOption,
  isText,
  listOf,
  numberBetween,
  type OptionCheck,
  objectWith,
  optional,
  optionsOf,
  TIMER_MS_MAX,
} from '../options/option-check.ts';
import type { NameResolverOptions } from '../transport/name-resolver.ts';
import { TRANSPORT_CHECKS } from '../transport/transport-options.ts';
import type { RaftWorkerNodeOptions } from './raft-worker-node.ts';
import type {
  WorkerClusterOptions,
  WorkerModule,
  WorkerTransportOptions,
} from './worker-protocol.ts';

const isModuleUrl: OptionCheck = (value, option) => {
  if (!(value instanceof URL)) isText(value, option);
};

const anything: OptionCheck = () => {};

const isModule = optionsOf<WorkerModule>({
  url: isModuleUrl,
  name: optional(isText),
  argument: anything,
});

const isResolver = optionsOf<NameResolverOptions>({
  hostsFile: optional(isText),
  servers: optional(listOf(isText)),
  timeoutMs: optional(numberBetween(1, TIMER_MS_MAX)),
});

const isTransport = optionsOf<WorkerTransportOptions>({
  ...TRANSPORT_CHECKS,
  resolver: optional(isResolver),
});

const isAdmission: OptionCheck = (value, option) => {
  (Array.isArray(value) ? listOf(isText) : isModule)(value, option);
};

const isCluster = optionsOf<WorkerClusterOptions>({
  ...CLUSTER_CHECKS,
  transport: isTransport,
  admits: optional(isAdmission),
});

const isWorkerNode = optionsOf<RaftWorkerNodeOptions>({
  ...COMMON_CHECKS,
  ...STORE_CHECKS,
  stateMachine: isModule,
  cluster: optional(isCluster),
  mirror: optional(objectWith('reset', 'changed')),
});

/**
 * Looks at all options of a node in a worker, before there is one. Throws `RAFT_INVALID_OPTION` for
 * the first that cannot be used.
 */
export function checkWorkerOptions(options: unknown): void {
  isWorkerNode(options, '');
}

/** The module with its place as a worker can import it: absolute, whatever the caller wrote. */
export function located(module: WorkerModule): WorkerModule {
  return { ...module, url: absoluteUrl(module.url) };
}

/** The same for the module that decides who may become a member, if one does. */
export function locatedAdmission(cluster: WorkerClusterOptions): WorkerClusterOptions {
  const { admits } = cluster;
  if (admits === undefined || !('url' in admits)) return cluster;
  return { ...cluster, admits: located(admits) };
}

/** A text that is no URL is a path, relative to the working directory as everywhere in Node. */
function absoluteUrl(url: string | URL): string {
  if (url instanceof URL) return url.href;
  if (isAbsolute(url) || !URL.canParse(url)) return pathToFileURL(resolve(url)).href;
  return new URL(url).href;
}

/** What cannot cross to the worker, as the options of the caller name it. */
export function uncloneable(error: unknown): unknown {
  if (!(error instanceof DOMException) || error.name !== 'DataCloneError') return error;
  const problem = `of a module cannot be copied to the worker: ${error.message}`;
  return invalidOption('argument', problem);
}
