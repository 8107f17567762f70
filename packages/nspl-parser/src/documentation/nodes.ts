import {
  GRAPH_MEMBER,
  OUTPUT_FORMAT,
  RELOCATION_SELECTION,
  SETTINGS,
  STATE_LOSS,
} from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Nodes and placement', title, draft);

const MEMBERS = clause(
  'INGESTOR | REINGESTOR | GENERATOR | JUNCTION | DEDUPLICATOR | CORRELATOR | REORDERER | ' +
    'WINDOW PROCESSOR | INFERENCER | WASM PROCESSOR | EMITTER | HASH MAP | RELAY',
  'What moves: kinds and names, separated by commas.',
);

const RELOCATION = [MEMBERS, ...RELOCATION_SELECTION.forms];

/** Cluster nodes and where work runs. */
export const NODE_STATEMENTS: readonly StatementEntry[] = [
  entry('CORDON NODE', {
    heads: ['CORDON NODE', 'UNCORDON NODE'],
    summary:
      'Keeps new work away from a cluster node, or lets it come again. What runs there stays where it is.',
    clauses: [
      clause('CORDON NODE', 'The node gets no new work, also after a restart.'),
      clause('UNCORDON NODE', 'The node may get work again.'),
    ],
    examples: ['CORDON NODE node-1;', 'UNCORDON NODE node-1.rack-2;'],
    seeAlso: ['drain-node', 'quarantine-node'],
  }),
  entry('DRAIN NODE', {
    summary:
      'Cordons a cluster node and moves its work to others, one unit after the other, without losing ' +
      'records.',
    clauses: [uses(STATE_LOSS)],
    notes: ['It goes on past units that fail and lists them; run it again for those.'],
    examples: ['DRAIN NODE node-1;', 'DRAIN NODE node-1 ACCEPT STATE LOSS WAIT 30s;'],
    seeAlso: ['cordon-node', 'drop-node', 'rebalance'],
  }),
  entry('DROP NODE', {
    summary: 'Removes a cluster node from the cluster. The same process never comes back in.',
    clauses: [uses(STATE_LOSS)],
    examples: ['DROP NODE node-3;', 'DROP NODE node-3 ACCEPT STATE LOSS;'],
    seeAlso: ['drain-node'],
  }),
  entry('ALTER NODE', {
    summary:
      'Assigns a cluster node to a pool, labels it, limits what it offers, or plans its maintenance.',
    clauses: [
      clause('SET POOL', 'The pool it belongs to.'),
      clause('SET LABELS', 'Labels, such as its failure domains.'),
      clause('SET CAPACITY', 'What it offers, if less than was measured.'),
      clause('SET MAINTENANCE', 'When it is not to get work: `FROM` and `TO` RFC 3339 times.'),
      clause('DROP POOL | DROP LABELS | DROP CAPACITY | DROP MAINTENANCE', 'Takes it back.'),
      uses(SETTINGS),
    ],
    notes: ['Operations are separated by commas.'],
    examples: [
      'ALTER NODE node-1 SET POOL fast;',
      `ALTER NODE node-1
  SET LABELS {'failure_domain.rack' = 'r7'},
  SET CAPACITY {'cpu_cores' = 4, 'memory' = '8GiB'},
  SET MAINTENANCE FROM '2026-03-01T22:00:00Z' TO '2026-03-02T02:00:00Z',
  DROP POOL;`,
    ],
    seeAlso: ['create-pool', 'cordon-node'],
  }),
  entry('QUARANTINE NODE', {
    summary: 'Takes a cluster node out of use until it is released, because it cannot be trusted.',
    clauses: [clause('REASON', 'Why, for the record.', 'no reason is recorded')],
    examples: ['QUARANTINE NODE node-2;', "QUARANTINE NODE node-2 REASON 'disk reports errors';"],
    seeAlso: ['release-node', 'cordon-node'],
  }),
  entry('RELEASE NODE', {
    summary: 'Ends the quarantine of a cluster node.',
    clauses: [clause('EVIDENCE', 'What shows that it is sound again.', 'nothing is recorded')],
    examples: [
      'RELEASE NODE node-2;',
      "RELEASE NODE node-2 EVIDENCE 'disk replaced, scrub passed';",
    ],
    seeAlso: ['quarantine-node'],
  }),
  entry('RELOCATE', {
    summary: 'Moves running work to a cluster node, all of it or nothing, without losing records.',
    clauses: [...RELOCATION, uses(STATE_LOSS)],
    notes: ['Listeners cannot be moved: they run on every node.'],
    examples: [
      'RELOCATE JUNCTION split_trips ONTO NODE node-2 IGNORE PREFERENCES;',
      `RELOCATE FROM INGESTOR trips_in TO EMITTER trips_out, WINDOW PROCESSOR averages
  ONTO NODE node-2 FOLLOW PREFERENCES
  FOR RELAY trips IGNORE PREFERENCES, FOR DEDUPLICATOR once IGNORE PREFERENCES
  ACCEPT STATE LOSS WAIT 30s;`,
    ],
    seeAlso: ['describe-relocation', 'create-placement', 'rebalance'],
  }),
  entry('DESCRIBE RELOCATION', {
    summary: 'Shows what `RELOCATE` with the same words would move and hold, and moves nothing.',
    clauses: RELOCATION,
    examples: [
      'DESCRIBE RELOCATION JUNCTION split_trips ONTO NODE node-2 IGNORE PREFERENCES;',
      `DESCRIBE RELOCATION FROM INGESTOR trips_in TO EMITTER trips_out
  ONTO NODE node-2 FOLLOW PREFERENCES FOR RELAY trips IGNORE PREFERENCES;`,
    ],
    seeAlso: ['relocate'],
  }),
  entry('REBALANCE', {
    summary:
      'Moves work between cluster nodes until its load is even. Nothing else moves work for that.',
    clauses: [
      clause('DOMAIN', 'Moves work of one domain only.', 'work of all domains'),
      clause('MAX MOVES', 'Most units to move.', 'as many as it takes'),
      uses(STATE_LOSS),
    ],
    examples: ['REBALANCE;', 'REBALANCE DOMAIN trips MAX MOVES 5 WAIT 1m;'],
    seeAlso: ['describe-rebalance', 'drain-node'],
  }),
  entry('DESCRIBE REBALANCE', {
    summary: 'Shows what `REBALANCE` with the same words would move, and moves nothing.',
    clauses: [
      clause('DOMAIN', 'Work of one domain only.', 'work of all domains'),
      clause('MAX MOVES', 'Most units to move.', 'as many as it takes'),
    ],
    examples: ['DESCRIBE REBALANCE;', 'DESCRIBE REBALANCE DOMAIN trips MAX MOVES 5;'],
    seeAlso: ['rebalance'],
  }),
  entry('EXPLAIN PLACEMENT', {
    summary: 'Shows, for one member of the graph or for all, why it runs where it runs.',
    clauses: [uses(GRAPH_MEMBER, 'everything in the selected domain'), uses(OUTPUT_FORMAT)],
    examples: ['EXPLAIN PLACEMENT;', 'EXPLAIN PLACEMENT WINDOW PROCESSOR averages FORMAT JSON;'],
    seeAlso: ['create-placement', 'relocate'],
  }),
  entry('RESET WASM PROCESSOR', {
    heads: ['RESET WASM'],
    summary: 'Makes a WASM processor forget its saved state and begin anew.',
    clauses: [
      clause('STATE IN DOMAIN', 'The domain, which has to be named.'),
      clause('FOR UNBRANCHED', 'The state of a processor without branches.'),
      clause('FOR ALL BRANCHES', 'The state of every branch.'),
      clause('FOR BRANCH VALUES', 'The state of the branch with this key.'),
    ],
    examples: [
      'RESET WASM PROCESSOR sessions STATE IN DOMAIN trips FOR ALL BRANCHES;',
      "RESET WASM PROCESSOR sessions STATE IN DOMAIN trips FOR BRANCH VALUES {user = 'ada', shard = -7};",
    ],
    seeAlso: ['create-wasm-processor', 'describe-wasm-processor'],
  }),
  entry('ALTER CLUSTER', {
    summary:
      'Raises the feature level of the cluster, once every node supports it. There is no way back.',
    clauses: [clause('SET FEATURE LEVEL', 'The level, a whole number.')],
    examples: ['ALTER CLUSTER SET FEATURE LEVEL 2;'],
    seeAlso: ['show-capabilities', 'show-cluster-status'],
  }),
];
