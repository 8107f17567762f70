import { ALTER_STATEMENTS } from './alterations.js';
import { BACKUP_STATEMENTS } from './backups.js';
import { CONNECTION_STATEMENTS } from './connections.js';
import { DOMAIN_STATEMENTS } from './domains.js';
import type { StatementEntry } from './entry.js';
import { INGESTOR_STATEMENTS } from './ingestors.js';
import { NODE_STATEMENTS } from './nodes.js';
import { OPERATION_STATEMENTS } from './operations.js';
import { POOL_STATEMENTS } from './pools.js';
import { PROCESSOR_STATEMENTS } from './processors.js';
import { READ_STATEMENTS } from './reads.js';
import { RELAY_STATEMENTS } from './relays.js';
import { RESOURCE_STATEMENTS } from './resources.js';
import { RIGHT_STATEMENTS } from './rights.js';
import { SCHEMA_STATEMENTS } from './schemas.js';
import { SESSION_STATEMENTS } from './sessions.js';
import { TRANSACTION_STATEMENTS } from './transactions.js';
import { USER_STATEMENTS } from './users.js';

/** Every statement form, family by family. */
export const STATEMENT_ENTRIES: readonly StatementEntry[] = [
  ...SESSION_STATEMENTS,
  ...TRANSACTION_STATEMENTS,
  ...DOMAIN_STATEMENTS,
  ...USER_STATEMENTS,
  ...RESOURCE_STATEMENTS,
  ...SCHEMA_STATEMENTS,
  ...CONNECTION_STATEMENTS,
  ...RELAY_STATEMENTS,
  ...INGESTOR_STATEMENTS,
  ...PROCESSOR_STATEMENTS,
  ...ALTER_STATEMENTS,
  ...READ_STATEMENTS,
  ...NODE_STATEMENTS,
  ...BACKUP_STATEMENTS,
  ...OPERATION_STATEMENTS,
  ...POOL_STATEMENTS,
  ...RIGHT_STATEMENTS,
];
