import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { NodeEvent, ReplicaEvent } from '@nervix/consensus';
import type { DataPlane, DataPlaneOptions } from '@nervix/runtime/data-plane';
import { startDataPlane } from '@nervix/runtime/data-plane';
import { Authenticator } from './auth/authenticator.js';
import { createFirstUser } from './auth/first-user.js';
import { hashPassword } from './auth/password.js';
import type { ActivationPeers } from './cluster/activation-messages.js';
import { AVAILABILITY_LIMITS } from './cluster/availability.js';
import { ClusterHealth, type ConfiguredMember } from './cluster/cluster-health.js';
import { NodeActivation } from './control-plane/activation/node-activation.js';
import { CommandExecutor } from './control-plane/command-executor.js';
import type { CommandLimits, ControlContext } from './control-plane/control-context.js';
import { DomainLocks } from './control-plane/domain-locks.js';
import { NodeControlPlane } from './control-plane/node-control-plane.js';
import { StatementReader } from './control-plane/reads/statement-reader.js';
import { recover } from './control-plane/recover.js';
import { DomainPlacements } from './control-plane/scheduling/domain-placements.js';
import {
  RECONCILIATION_INTERVAL_MS,
  Reconciliation,
} from './control-plane/scheduling/reconciliation.js';
import { CommitDriver } from './control-plane/transactions/commit.js';
import { sweepTransactions } from './control-plane/transactions/expire.js';
import { TransactionBindings } from './control-plane/transactions/transaction-bindings.js';
import { createSessionListener } from './http/session-listener.js';
import type { Logger } from './logging/logger.js';
import { ConsensusCounts } from './observability/consensus-counts.js';
import { ConsensusRecords } from './observability/consensus-records.js';
import { createObservabilityListener } from './observability/observability-listener.js';
import { SessionCounts } from './observability/session-counts.js';
import type { ListenAddress } from './options/listen-address.js';
import type { ServerOptions } from './options/server-options.js';
import { sessionLimits } from './options/session-limits.js';
import { ReplicatedLog } from './replicated-state/replicated-log.js';
import { admitRuntime } from './replicated-state/runtime-admission.js';
import { ResourceService } from './resources/resource-service.js';
import { SecretService } from './secrets/secret-service.js';
import { type PhaseOutcome, Shutdown, type ShutdownStep } from './shutdown.js';

/** Where a running node listens. */
export interface ServerAddresses {
  readonly session: ListenAddress;
  readonly http: ListenAddress;
  readonly observability: ListenAddress;
}

/** A running node. */
export interface NervixServer {
  readonly addresses: ServerAddresses;
  /** Resolves with the error when the data plane fails for good; the node is to be stopped then. */
  readonly failed: Promise<Error>;
  /**
   * Stops in order: no new intake and no new requests, then what was admitted is finished, then the
   * store closes. `Forced` says that the drain deadline passed with work left. A step that fails
   * keeps no later one from running; the first failure is thrown at the end.
   */
  close(): Promise<{ readonly outcome: PhaseOutcome }>;
}

/** What the log of commands tells of itself. */
type ConsensusEvent = NodeEvent | ReplicaEvent;

/** How often deadlines of transactions and old outcomes are looked at. */
const HOUSEKEEPING_INTERVAL_MS = 10_000;

/**
 * Starts a node: recovers its state, brings running domains back up, then listens.
 *
 * @throws RaftError when the store is in use, foreign or damaged
 * @throws Error when an address cannot be bound
 */
export async function createServer(options: ServerOptions, logger: Logger): Promise<NervixServer> {
  const consensus = new ConsensusCounts();
  const records = new ConsensusRecords(logger);
  const observed = {
    directory: path.join(options.dbPath, 'consensus'),
    clusterId: options.clusterId,
    nodeId: options.nodeId,
    retention: {
      entriesThreshold: options.raftSnapshotEntryThreshold,
      bytesThreshold: options.raftSnapshotByteThreshold,
      entriesKept: options.raftCoveredLogEntriesRetained,
      bytesKept: options.raftCoveredLogBytesRetained,
    },
    observe: (event: ConsensusEvent): void => {
      consensus.observe(event);
      records.observe(event);
    },
  };
  const log = await (options.consensusThread
    ? ReplicatedLog.openInThread(observed, consensus)
    : ReplicatedLog.open(observed, consensus));
  const failure = Promise.withResolvers<Error>();
  let dataPlane: DataPlane | undefined;
  try {
    const secrets = secretService(options, log);
    dataPlane = await startDataPlane({
      ...dataPlaneOptions(options, logger),
      readSecrets: (domain, references) => secrets.read(domain, references),
      onFailure: (error) => {
        logger.error('the data plane failed', {}, error);
        failure.resolve(error);
      },
    });
    const node = await assemble(options, logger, { log, dataPlane, consensus, secrets });
    return { ...node, failed: failure.promise };
  } catch (error) {
    // What did open is closed, and what that meets must not hide why the start failed.
    await Promise.allSettled([dataPlane?.close()]);
    await Promise.allSettled([log.close()]);
    throw error;
  }
}

/** What a node is assembled of once it is open. */
interface NodeParts {
  readonly log: ReplicatedLog;
  readonly dataPlane: DataPlane;
  readonly consensus: ConsensusCounts;
  readonly secrets: SecretService;
}

async function assemble(
  options: ServerOptions,
  logger: Logger,
  parts: NodeParts,
): Promise<Omit<NervixServer, 'failed'>> {
  const { log, dataPlane, consensus, secrets } = parts;
  const resources = resourceService(options, logger, log);
  const member = membership(options, parts, resources);
  const context = controlContext(options, logger, log, member);
  const commits = new CommitDriver(context);
  const executor = new CommandExecutor(context, new StatementReader(context, dataPlane), commits);
  const controlPlane = new NodeControlPlane(context, executor, dataPlane);
  const authenticator = new Authenticator({
    user: (name) => controlPlane.user(name),
  });
  const counts = new SessionCounts();
  const session = createSessionListener(
    {
      address: options.addr,
      counts,
      frameLimits: sessionLimits(options),
      hasCompression: options.sessionCompression,
      keepaliveMs: options.sessionKeepaliveMs,
    },
    controlPlane,
    authenticator,
    logger,
  );
  const observability = createObservabilityListener(
    options.observabilityListenAddr,
    controlPlane,
    { session: counts, consensus },
    logger,
  );
  const observabilityAddress = await observability.listen();
  let sessionAddress: ListenAddress;
  try {
    await context.resources.recover();
    const defect = await secrets.defect(log.state.domains().map(({ name }) => name));
    if (defect !== undefined) logger.error('stored secrets cannot be used', { reason: defect });
    await admitRuntime(log);
    await recover(context, commits);
    await dataPlane.listen();
    sessionAddress = await session.listen();
    // Its password is told once: only when nothing of the start can fail any more.
    await createFirstUser(options, context);
  } catch (error) {
    await Promise.allSettled([session.close(), observability.close(), context.resources.close()]);
    throw error;
  }
  controlPlane.setReady();
  const housekeeping = startHousekeeping(context, executor, commits);
  const reconciliation = new Reconciliation(context, member.activation);
  const rounds = setInterval(() => reconciliation.round(), RECONCILIATION_INTERVAL_MS);
  rounds.unref();
  const close = async (): Promise<{ outcome: PhaseOutcome }> => {
    controlPlane.setTerminating();
    clearInterval(housekeeping);
    clearInterval(rounds);
    const shutdown = new Shutdown(logger);
    await shutdown.phase('admission', [closing(session)]);
    await shutdown.phase('drain-support', [
      () => drain(dataPlane, executor, options.drainTimeoutMs, logger),
      closing(context.resources),
    ]);
    member.activation.close();
    await shutdown.phase('terminal-teardown', [dataPlane, observability, log].map(closing));
    const outcome = shutdown.finish();
    logger.info('node stopped', { outcome });
    return { outcome };
  };
  let closed: ReturnType<typeof close> | undefined;
  return {
    addresses: {
      session: sessionAddress,
      http: dataPlane.httpAddress,
      observability: observabilityAddress,
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** The cluster of this release is its own node: there is nobody else to talk to. */
const ALONE: ActivationPeers = { report: () => undefined, announce: () => undefined };

/** What the node knows of its cluster, and by what it takes part in activations. */
interface Membership {
  readonly health: ClusterHealth;
  readonly resources: ResourceService;
  readonly secrets: SecretService;
  readonly activation: NodeActivation;
}

function membership(
  { nodeId: node }: ServerOptions,
  { log, dataPlane, secrets }: NodeParts,
  resources: ResourceService,
): Membership {
  const { installed: versions } = resources;
  const health = new ClusterHealth({
    // Another process is another incarnation: what was planned for the former one is planned anew.
    local: { node, incarnation: randomUUID() },
    limits: AVAILABILITY_LIMITS,
    configured: () => configuredMembers(log),
    nowMs: () => performance.now(),
  });
  const after = (delayMs: number, run: () => void): void => {
    setTimeout(run, delayMs).unref();
  };
  const peers = ALONE;
  return {
    health,
    resources,
    secrets,
    activation: new NodeActivation({ log, health, peers, dataPlane, versions, after }),
  };
}

function configuredMembers(log: ReplicatedLog): readonly ConfiguredMember[] {
  const { voters = [], learners = [] } = log.status().configuration?.configuration ?? {};
  return [
    ...voters.map(({ nodeId: node }) => ({ node, isVoter: true })),
    ...learners.map(({ nodeId: node }) => ({ node, isVoter: false })),
  ];
}

function controlContext(
  options: ServerOptions,
  logger: Logger,
  log: ReplicatedLog,
  { health, resources, secrets, activation: { effects } }: Membership,
): ControlContext {
  return {
    log,
    state: log.state,
    activation: effects,
    effects,
    locks: new DomainLocks((domain) => log.state.lease(domain)),
    bindings: new TransactionBindings(() => log.status().term),
    placements: new DomainPlacements(),
    settledSchedules: new Map(),
    limits: commandLimits(options),
    gates: { leaseMs: options.entityGateDeadlineMs, monotonicMs: () => performance.now() },
    resources,
    secrets,
    logger,
    nodeId: options.nodeId,
    members: () => health.members(),
    maySchedule: () => health.maySchedule(),
    nowMs: Date.now,
    hashPassword,
  };
}

/** Finishes what was admitted: in the data plane, and commands under way. */
async function drain(
  dataPlane: DataPlane,
  executor: CommandExecutor,
  timeoutMs: number,
  logger: Logger,
): Promise<PhaseOutcome> {
  // The drain makes changes that wait for one of their own give up; they still get their outcome.
  const [drained] = await Promise.allSettled([dataPlane.drain(timeoutMs), executor.idle()]);
  if (drained.status === 'rejected') throw drained.reason;
  const { outcome, pending } = drained.value;
  if (outcome === 'completed') return 'Completed';
  logger.warn('drain deadline passed with work left', { pending: pending.join(', ') });
  return 'Forced';
}

function closing(part: { close(): Promise<void> }): ShutdownStep {
  return async () => {
    await part.close();
    return undefined;
  };
}

function startHousekeeping(
  context: ControlContext,
  executor: CommandExecutor,
  commits: CommitDriver,
): NodeJS.Timeout {
  let isBusy = false;
  const keepHouse = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      await sweepTransactions(context);
      await executor.history.reclaim();
      await commits.resumeAll();
      await context.resources.collect();
    } catch (error) {
      context.logger.warn('housekeeping failed', {}, error);
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void keepHouse(), HOUSEKEEPING_INTERVAL_MS);
  timer.unref();
  return timer;
}

function commandLimits(options: ServerOptions): CommandLimits {
  return {
    transactionIdleTimeoutMs: options.transactionIdleTimeoutMs,
    transactionTombstoneRetentionMs: options.transactionTombstoneRetentionMs,
    transactionMaxStatements: options.transactionMaxStatements,
    transactionMaxSourceBytes: options.transactionMaxSourceBytes,
    transactionMaxOpen: options.transactionMaxOpen,
    commandRetryValidityMs: options.commandRetryValidityMs,
    commandExecutionCapacity: options.commandExecutionCapacity,
  };
}

function resourceService(
  options: ServerOptions,
  logger: Logger,
  log: ReplicatedLog,
): ResourceService {
  return new ResourceService({
    log,
    logger,
    nodeId: options.nodeId,
    directory: path.join(options.dbPath, 'resources'),
    limits: {
      archiveBytesMax: options.resourceMaxArchiveBytes,
      extractedBytesMax: options.resourceMaxExtractedBytes,
      entriesMax: options.resourceMaxFileCount,
    },
    nowMs: Date.now,
  });
}

function secretService(options: ServerOptions, log: ReplicatedLog): SecretService {
  const { secretProvider: provider, secretDir: directory } = options;
  return new SecretService({
    provider,
    keyFile: options.secretKeyFile ?? path.join(options.dbPath, 'secret.key'),
    ...(directory === undefined ? {} : { directory }),
    environment: process.env,
    stored: log.state.secrets,
  });
}

function memoryLimits(options: ServerOptions): Pick<DataPlaneOptions, 'memory'> {
  const { memoryHighWatermark: highBytes, memoryLowWatermark: lowBytes } = options;
  if (highBytes === undefined || lowBytes === undefined) return {};
  return {
    memory: {
      highBytes,
      lowBytes,
      intervalMs: options.memoryPressureCheckIntervalMs,
      resumeJitterMs: options.memoryPressureResumeJitterMs,
    },
  };
}

function dataPlaneOptions(options: ServerOptions, logger: Logger): DataPlaneOptions {
  const { log } = options;
  return {
    http: { ...options.httpListenAddr, maxBodyBytes: options.httpMaxBodyBytes },
    https: { ...options.httpsListenAddr, maxBodyBytes: options.httpMaxBodyBytes },
    isListeningDeferred: true,
    alterationDrainMs: options.entityGateDeadlineMs,
    ...memoryLimits(options),
    nodeId: options.nodeId,
    logLevel: log === 'off' ? 'error' : log === 'trace' ? 'debug' : log,
    branchScanMs: options.branchScanIntervalMs,
    ingestGroupMessagesMax: options.ingestGroupMaxMessages,
    ingestGroupIdleMs: options.ingestGroupIdleMs,
    onLog: ({ level, message, fields }) => logger[level](message, fields),
  };
}
