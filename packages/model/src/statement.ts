import type { AuthorityStatement } from './statements/authority.js';
import type {
  BackupStatement,
  DescribeBackupStatement,
  RestoreStatement,
} from './statements/backup.js';
import type { DomainStatement } from './statements/domain.js';
import type { ModelChangeStatement } from './statements/model-change.js';
import type { NodeAdministrationStatement } from './statements/node.js';
import type { OperationStatement } from './statements/operation.js';
import type { PoolStatement } from './statements/pool.js';
import type { ReadStatement } from './statements/read.js';
import type { MovementStatement } from './statements/relocation.js';
import type { ResetWasmProcessorStatement } from './statements/reset.js';
import type { ResourceStatement } from './statements/resource.js';
import type { SessionStatement } from './statements/session.js';
import type { SubscriptionStatement } from './statements/subscription.js';
import type { UserStatement } from './statements/user.js';

/** Every statement of the language. */
export type Statement =
  | SessionStatement
  | SubscriptionStatement
  | BackupStatement
  | RestoreStatement
  | DescribeBackupStatement
  | DomainStatement
  | UserStatement
  | ResourceStatement
  | NodeAdministrationStatement
  | MovementStatement
  | ResetWasmProcessorStatement
  | ModelChangeStatement
  | ReadStatement
  | OperationStatement
  | PoolStatement
  | AuthorityStatement;

/** Kinds of statements. */
export type StatementKind = Statement['kind'];
