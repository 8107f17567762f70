import { MemoryDisk, MemoryLogStorage, type WriteInterceptor } from '@nervix/consensus';
import type { CommandOutcome, CommandRequest, ErrorBody } from '@nervix/protocol';
import { onTestFinished } from 'vitest';
import type { ActivationPeers } from '../../src/cluster/activation-messages.ts';
import { AVAILABILITY_LIMITS } from '../../src/cluster/availability.ts';
import { ClusterHealth, type ClusterMember } from '../../src/cluster/cluster-health.ts';
import { NodeActivation } from '../../src/control-plane/activation/node-activation.ts';
import { CommandExecutor } from '../../src/control-plane/command-executor.ts';
import type { CommandLimits, ControlContext } from '../../src/control-plane/control-context.ts';
import { DomainLocks } from '../../src/control-plane/domain-locks.ts';
import type { Effects } from '../../src/control-plane/execution/effects.ts';
import { newReference } from '../../src/control-plane/execution-reference.ts';
import { NodeControlPlane } from '../../src/control-plane/node-control-plane.ts';
import { StatementReader } from '../../src/control-plane/reads/statement-reader.ts';
import { recover } from '../../src/control-plane/recover.ts';
import { DomainPlacements } from '../../src/control-plane/scheduling/domain-placements.ts';
import { CommitDriver } from '../../src/control-plane/transactions/commit.ts';
import { TransactionBindings } from '../../src/control-plane/transactions/transaction-bindings.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { ReplicatedLog } from '../../src/replicated-state/replicated-log.ts';
import type { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import type { StateLog } from '../../src/replicated-state/state-log.ts';
import type { UserIdentity } from '../../src/replicated-state/user-identity.ts';
import {
  ResourceService,
  type ResourceServiceOptions,
} from '../../src/resources/resource-service.ts';
import { SecretService, type SecretServiceOptions } from '../../src/secrets/secret-service.ts';
import { FakeDataPlane } from './fake-data-plane.ts';
import { LIMITS as ARCHIVE_LIMITS } from './resources/open-store.ts';
import { identityOf } from './users.ts';

/** 2027-01-15T08:00:00Z. */
export const START_MS = 1_800_000_000_000;

export const LIMITS: CommandLimits = {
  transactionIdleTimeoutMs: 900_000,
  transactionTombstoneRetentionMs: 900_000,
  transactionMaxStatements: 256,
  transactionMaxSourceBytes: 1_048_576,
  transactionMaxOpen: 1_024,
  commandRetryValidityMs: 900_000,
  commandExecutionCapacity: 65_536,
};

export interface ControlNodeSetup {
  readonly disk?: MemoryDisk;
  readonly limits?: Partial<CommandLimits>;
  readonly intercept?: WriteInterceptor;
  readonly dataPlane?: FakeDataPlane;
  /** A clock that the test moves. */
  readonly clock?: { nowMs: number };
  /** Terms of gates; by default they last a minute of {@link ControlNodeSetup.clock}. */
  readonly gates?: ControlContext['gates'];
  /** Contents of resources; without a folder none can be uploaded. */
  readonly resources?: Partial<ResourceServiceOptions> & { readonly directory: string };
  /** Where its secrets are; without a key file none can be written. */
  readonly secrets?: Partial<SecretServiceOptions>;
  /** The process that the node is; absent where it stays the same over restarts. */
  readonly incarnation?: NonNullable<ClusterMember['incarnation']>;
  /** Puts itself before the effects of the data plane. */
  readonly wrapEffects?: (effects: Effects) => Effects;
  /** Leaves out what a start does by itself. */
  readonly isIdle?: boolean;
  /** Given to {@link MemoryLogStorage}, so that equal seeds give equal stores. */
  readonly drawStoreId?: () => string;
}

/** A node among others. */
export interface ClusterSeat {
  readonly health: ClusterHealth;
  readonly peers: ActivationPeers;
  after(delayMs: number, run: () => void): void;
}

/** How a request differs from a plain statement of `ada` in the domain `d`. */
export interface Asked
  extends Partial<Omit<CommandRequest, 'query' | 'domain' | 'expected_transaction_position'>> {
  /** `null` names none; absent is where the transaction stands, or stood for a repetition. */
  readonly expected_transaction_position?: number | null;
  /** `null` selects none. */
  readonly domain?: string | null;
  readonly user?: string;
}

/** The control plane of one node on a memory disk, over a data plane that runs nothing. */
export class ControlNode {
  readonly disk: MemoryDisk;
  readonly clock: { nowMs: number };
  readonly dataPlane: FakeDataPlane;
  readonly context: ControlContext;
  readonly executor: CommandExecutor;
  readonly commits: CommitDriver;
  readonly plane: NodeControlPlane;
  readonly logLines: string[];
  /** The cluster as the node sees it; a test may add members that do not exist. */
  members: readonly ClusterMember[] = [{ name: 'n1', isLive: true, isTerminating: false }];
  readonly activation: NodeActivation;
  /** What the node left for later; a test lets it happen. */
  readonly later: { readonly delayMs: number; readonly run: () => void }[] = [];
  readonly #close: () => Promise<void>;

  private constructor(
    log: StateLog,
    setup: Required<Pick<ControlNodeSetup, 'disk' | 'clock' | 'dataPlane'>> &
      Pick<ControlNodeSetup, 'resources' | 'secrets' | 'gates'>,
    limits: CommandLimits,
    close: () => Promise<void>,
    seat?: ClusterSeat,
  ) {
    this.clock = setup.clock;
    const { health, peers, after } = seat ?? this.#alone();
    const { node: nodeId } = health.local;
    const logLines: string[] = [];
    const write = (line: string): number => logLines.push(line);
    const logger = createLogger({ level: 'info', format: 'json', node: nodeId, write });
    const nowMs = (): number => setup.clock.nowMs;
    this.#close = close;
    this.logLines = logLines;
    this.disk = setup.disk;
    this.dataPlane = setup.dataPlane;
    const resources = new ResourceService({
      log,
      logger,
      nodeId,
      directory: '/nowhere',
      limits: ARCHIVE_LIMITS,
      nowMs,
      ...setup.resources,
    });
    const { dataPlane } = setup;
    const versions = resources.installed;
    this.activation = new NodeActivation({ log, health, peers, dataPlane, versions, after });
    const { effects } = this.activation;
    this.context = {
      log,
      state: log.state,
      activation: effects,
      effects,
      locks: new DomainLocks((domain) => log.state.lease(domain)),
      bindings: new TransactionBindings(() => log.status().term),
      placements: new DomainPlacements(),
      settledSchedules: new Map(),
      limits,
      gates: setup.gates ?? { leaseMs: 60_000, monotonicMs: nowMs },
      resources,
      secrets: new SecretService({
        provider: 'store',
        keyFile: '/nowhere/secret.key',
        environment: {},
        stored: log.state.secrets,
        ...setup.secrets,
      }),
      logger,
      nodeId,
      members: () => (seat === undefined ? this.members : health.members()),
      maySchedule: () => health.maySchedule(),
      nowMs,
      hashPassword: async (password) => `hash of ${password}`,
    };
    this.commits = new CommitDriver(this.context);
    const reader = new StatementReader(this.context, setup.dataPlane);
    this.executor = new CommandExecutor(this.context, reader, this.commits);
    this.plane = new NodeControlPlane(this.context, this.executor, setup.dataPlane);
  }

  /** Opens the store and recovers, as a node does when it starts. */
  static async open(setup: ControlNodeSetup = {}): Promise<ControlNode> {
    const {
      disk = new MemoryDisk(),
      clock = { nowMs: START_MS },
      dataPlane = new FakeDataPlane(),
      intercept,
      drawStoreId,
    } = setup;
    const storage = await MemoryLogStorage.open({
      disk,
      clusterId: 'c1',
      nodeId: 'n1',
      intercept,
      drawStoreId,
    });
    const log = await ReplicatedLog.open({ storage });
    const { resources, secrets, gates } = setup;
    const kept = {
      ...(resources === undefined ? {} : { resources }),
      ...(secrets === undefined ? {} : { secrets }),
      ...(gates === undefined ? {} : { gates }),
    };
    const limits = { ...LIMITS, ...setup.limits };
    const node = new ControlNode(log, { disk, clock, dataPlane, ...kept }, limits, () =>
      log.close(),
    );
    if (resources !== undefined) await node.context.resources.recover();
    if (setup.incarnation !== undefined) {
      const { incarnation } = setup;
      node.members = node.members.map((member) => ({ ...member, incarnation }));
    }
    const { wrapEffects = (effects: Effects) => effects } = setup;
    Object.assign(node.context, { effects: wrapEffects(node.context.effects) });
    if (setup.isIdle !== true) await recover(node.context, node.commits);
    node.plane.setReady();
    return node;
  }

  /** A control plane over a log that somebody else keeps; it has not recovered yet. */
  static over(
    log: StateLog,
    setup: Required<Pick<ControlNodeSetup, 'clock' | 'dataPlane' | 'limits' | 'gates'>>,
    seat: ClusterSeat,
  ): ControlNode {
    const limits = { ...LIMITS, ...setup.limits };
    const disk = new MemoryDisk();
    return new ControlNode(log, { ...setup, disk }, limits, async () => undefined, seat);
  }

  #alone(): ClusterSeat {
    const health = new ClusterHealth({
      local: { node: 'n1', incarnation: 'n1' },
      limits: AVAILABILITY_LIMITS,
      configured: () => [{ node: 'n1', isVoter: true }],
      nowMs: () => this.clock.nowMs,
    });
    const after: ClusterSeat['after'] = (delayMs, run) => void this.later.push({ delayMs, run });
    return { health, peers: { report: () => undefined, announce: () => undefined }, after };
  }

  get state(): ReplicatedState {
    return this.context.state;
  }

  /** Whom requests of a user act for now, stored or not. */
  principal(user: string): UserIdentity {
    const incarnation = this.state.user(user)?.incarnation;
    return incarnation === undefined ? identityOf(user) : { user, incarnation };
  }

  /** A new reference of the node's present. */
  reference(): string {
    return newReference(this.clock.nowMs);
  }

  execute(query: string, asked: Asked = {}): ReturnType<CommandExecutor['execute']> {
    const { user = 'ada', domain, expected_transaction_position: position, ...request } = asked;
    // A transaction selects its own domain.
    const selected = domain === undefined && request.transaction === undefined ? 'd' : domain;
    const place = typeof selected === 'string' ? { domain: selected } : {};
    const expected = position === undefined ? this.#position(request) : position;
    const queue = expected === null ? {} : { expected_transaction_position: expected };
    const command: CommandRequest = { ...request, ...place, ...queue, query };
    return this.executor.execute(command, this.principal(user));
  }

  /** Where the next statement of the transaction of a request belongs; null where it has none. */
  #position({ transaction, execution_reference: reference }: Asked): number | null {
    if (transaction === undefined) return null;
    const known = reference === undefined ? undefined : this.state.reference(reference);
    if (known?.transaction === transaction) return known.position;
    return this.state.transaction(transaction)?.accepted ?? 0;
  }

  /** Runs what must succeed. */
  async run(query: string, asked: Asked = {}): Promise<CommandOutcome> {
    const reply = await this.execute(query, asked);
    if (reply.kind === 'completed') return reply.outcome;
    throw new Error(`${query} was refused: ${reply.error.code} ${reply.error.message}`);
  }

  /** Runs what must be refused. */
  async refuse(query: string, asked: Asked = {}): Promise<ErrorBody['error']> {
    const reply = await this.execute(query, asked);
    if (reply.kind === 'failed') return reply.error;
    throw new Error(`${query} was accepted: ${reply.outcome.message}`);
  }

  /** The text that a statement answers with. */
  async text(query: string, asked: Asked = {}): Promise<string> {
    return (await this.run(query, asked)).message;
  }

  /** Opens a transaction and gives its id. */
  async begin(asked: Asked = {}): Promise<string> {
    const { transaction } = await this.run('BEGIN;', asked);
    if (transaction === undefined) throw new Error('BEGIN named no transaction');
    return transaction.id;
  }

  /** Lets the cluster activate a level that its one release does not support. */
  activateLevel(level: number): void {
    const { log } = this.context;
    const status = log.status.bind(log);
    log.status = () => ({ ...status(), level });
  }

  async close(): Promise<void> {
    await this.context.resources.close();
    await this.#close();
  }

  /** Ends the node as the end of its process would, and starts another one on its disk. */
  async restart(setup: Omit<ControlNodeSetup, 'disk' | 'clock'> = {}): Promise<ControlNode> {
    this.disk.crash();
    await this.close();
    return openControlNode({ ...setup, disk: this.disk, clock: this.clock });
  }
}

/** A control plane that closes with the test. */
export async function openControlNode(setup: ControlNodeSetup = {}): Promise<ControlNode> {
  const node = await ControlNode.open(setup);
  onTestFinished(() => node.close());
  return node;
}

/** A control plane with a stopped domain `d` that holds a schema `s` and a relay `r`. */
export async function openWithRelay(setup: ControlNodeSetup = {}): Promise<ControlNode> {
  const node = await openControlNode(setup);
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE SCHEMA s (id I64, tenant STRING);');
  await node.run('CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 8;');
  return node;
}

/** Lets work proceed until the condition holds; fails after many turns of the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the condition never held');
}
