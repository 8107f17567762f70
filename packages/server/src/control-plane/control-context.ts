import type { ClusterMember } from '../cluster/cluster-health.js';
import type { Logger } from '../logging/logger.js';
import type { ReplicatedState } from '../replicated-state/replicated-state.js';
import type { StateLog } from '../replicated-state/state-log.js';
import type { ResourceService } from '../resources/resource-service.js';
import type { SecretService } from '../secrets/secret-service.js';
import type { Activation } from './activation/activation.js';
import type { DomainLocks } from './domain-locks.js';
import type { Effects } from './execution/effects.js';
import type { GateTerms } from './execution/gate-lease.js';
import type { DomainPlacements } from './scheduling/domain-placements.js';
import type { TransactionBindings } from './transactions/transaction-bindings.js';

/** Bounds of transactions and of the execution history; durations are milliseconds. */
export interface CommandLimits {
  readonly transactionIdleTimeoutMs: number;
  readonly transactionTombstoneRetentionMs: number;
  readonly transactionMaxStatements: number;
  readonly transactionMaxSourceBytes: number;
  readonly transactionMaxOpen: number;
  /** How long the outcome of a finished reference is kept. */
  readonly commandRetryValidityMs: number;
  /** How many references are kept at most. */
  readonly commandExecutionCapacity: number;
}

/** What every command works with. */
export interface ControlContext {
  readonly log: StateLog;
  readonly state: ReplicatedState;
  /** Asks the data plane; what runs is brought up and held through `effects` alone. */
  readonly activation: Pick<Activation, 'status' | 'failureOf'>;
  readonly effects: Effects;
  readonly locks: DomainLocks;
  readonly bindings: TransactionBindings;
  readonly placements: DomainPlacements;
  /** Of each domain the inputs for which its schedule was last found to be what it should be. */
  readonly settledSchedules: Map<string, string>;
  readonly limits: CommandLimits;
  readonly gates: GateTerms;
  readonly resources: ResourceService;
  readonly secrets: SecretService;
  readonly logger: Logger;
  readonly nodeId: string;
  /** Members of the cluster and whether they answer; cordons are replicated state. */
  members(): readonly ClusterMember[];
  /** Whether the node has seen enough of the cluster to schedule by itself. */
  maySchedule(): boolean;
  /** Unix milliseconds. */
  nowMs(): number;
  hashPassword(password: string): Promise<string>;
}
