import { OUTPUT_FORMAT, SCOPE, SETTINGS } from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Pools and policies', title, draft);

const POOL_CLAUSES = [
  clause('RESERVE', 'Nodes, or with `%` the share of them, to keep free.', 'none'),
  clause('FAILURE DOMAIN', 'What its nodes have in common that can fail.', 'not stated'),
  clause('TRUST', 'How far its nodes are trusted.', 'not stated'),
  clause('BUDGET', 'Limits on what may be spent in the pool.', 'no limits'),
];

/** Groups of nodes, and the rules that changes have to keep to. */
export const POOL_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE POOL', {
    summary: 'Creates a pool: a group of cluster nodes with a reserve and limits of its own.',
    clauses: [uses(IF_NOT_EXISTS), ...POOL_CLAUSES, uses(SETTINGS)],
    notes: ['The clauses stand in this order.', 'Nodes join with `ALTER NODE … SET POOL`.'],
    examples: [
      'CREATE POOL fast;',
      `CREATE POOL fast RESERVE 20% FAILURE DOMAIN 'rack-1' TRUST 'own'
  BUDGET {'moves_per_hour' = 10, 'memory' = '64GiB'};`,
    ],
    seeAlso: ['alter-pool', 'alter-node', 'show-pools'],
  }),
  entry('ALTER POOL', {
    summary: 'Changes reserve, failure domain, trust or budget of a pool.',
    clauses: [
      clause(
        'SET RESERVE | SET FAILURE DOMAIN | SET TRUST | SET BUDGET',
        'Gives the clause a new value.',
      ),
      clause(
        'DROP RESERVE | DROP FAILURE DOMAIN | DROP TRUST | DROP BUDGET',
        'Takes the clause away.',
      ),
      uses(SETTINGS),
    ],
    notes: ['Operations are separated by commas.'],
    examples: [
      'ALTER POOL fast SET RESERVE 2;',
      "ALTER POOL fast SET BUDGET {'cpu_cores' = 32}, SET FAILURE DOMAIN 'rack-2', DROP TRUST;",
    ],
    seeAlso: ['create-pool', 'drop-pool'],
  }),
  entry('DROP POOL', {
    summary: 'Removes a pool.',
    examples: ['DROP POOL fast;'],
    seeAlso: ['create-pool', 'alter-node'],
  }),
  entry('SHOW POOLS', {
    summary: 'Lists the pools with their nodes and reserves.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW POOLS;', 'SHOW POOLS FORMAT JSON;'],
    seeAlso: ['show-reservations', 'create-pool'],
  }),
  entry('SHOW RESERVATIONS', {
    summary: 'Lists what operations have reserved, on which nodes and for how long.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW RESERVATIONS;', 'SHOW RESERVATIONS FORMAT JSON;'],
    seeAlso: ['show-pools', 'show-operations'],
  }),
  entry('CREATE POLICY', {
    summary:
      'Creates a policy: rules for what may be changed within a scope, when, how fast and with whose consent.',
    clauses: [
      uses(IF_NOT_EXISTS),
      { ...uses(SCOPE), keywords: ['FOR'] },
      clause('RULES', 'The rules, by key.'),
      uses(SETTINGS),
    ],
    notes: [
      'Keys: `allow`, `quiesce_ceiling`, `window`, `min_available_replicas`, `approvals`, ' +
        '`max_concurrent_moves`, `destinations`, `automatic`, `emergency_expiry`, `emergency_ceiling`, ' +
        '`score`, `rpo`, `rto`, `owner.<field>`, `containment`.',
    ],
    examples: [
      "CREATE POLICY calm FOR DOMAIN trips RULES {'quiesce_ceiling' = 'ENTITY_PAUSE'};",
      `CREATE POLICY careful FOR PROJECT fleet RULES {
  'window' = 'mon-fri 08:00-18:00 Europe/Oslo',
  'approvals' = '2 of reviewers',
  'max_concurrent_moves' = 1
};`,
    ],
    seeAlso: ['alter-policy', 'show-policies', 'approve-plan'],
  }),
  entry('ALTER POLICY', {
    summary:
      'Replaces the rules of a policy. Plans that were made under the old ones no longer hold.',
    clauses: [clause('SET RULES', 'All rules from now on.'), uses(SETTINGS)],
    examples: ["ALTER POLICY calm SET RULES {'rpo' = '5s', 'rto' = '1m'};"],
    seeAlso: ['create-policy'],
  }),
  entry('DROP POLICY', {
    summary: 'Removes a policy.',
    examples: ['DROP POLICY calm;'],
    seeAlso: ['create-policy'],
  }),
  entry('SHOW POLICIES', {
    summary: 'Lists the policies with their scopes and rules.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW POLICIES;', 'SHOW POLICIES FORMAT JSON;'],
    seeAlso: ['create-policy'],
  }),
];
