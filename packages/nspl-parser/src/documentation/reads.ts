import { OUTPUT_FORMAT } from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Reading models and state', title, draft);

const WIRE = ['WIRE JSON SCHEMA', 'WIRE CBOR SCHEMA', 'WIRE AVRO SCHEMA'] as const;

/** The kinds of models as statements spell them. */
const MODEL_KINDS = [
  'SCHEMA',
  ...WIRE,
  'CODEC',
  'CLIENT',
  'VHOST',
  'ENDPOINT',
  'SIGNALING PROTOCOL',
  'GENERATOR',
  'INGESTOR',
  'REINGESTOR',
  'REORDERER',
  'INFERENCER',
  'RELAY',
  'HASH MAP',
  'JUNCTION',
  'DEDUPLICATOR',
  'CORRELATOR',
  'WINDOW PROCESSOR',
  'WASM PROCESSOR',
  'EMITTER',
  'PLACEMENT',
  'UDF',
  'BRANCH',
] as const;

const DESCRIBED = [
  'INGESTOR',
  'REINGESTOR',
  'JUNCTION',
  'DEDUPLICATOR',
  'CORRELATOR',
  'REORDERER',
  'WINDOW PROCESSOR',
  'INFERENCER',
  'GENERATOR',
  'EMITTER',
  'HASH MAP',
  'ENDPOINT',
  'PLACEMENT',
  'UDF',
] as const;

/** Statements that show what there is and what it does, and the removal of models. */
export const READ_STATEMENTS: readonly StatementEntry[] = [
  entry('SHOW CREATE', {
    summary: 'Shows the canonical text that creates a model as it is now.',
    clauses: [
      clause(MODEL_KINDS.join(' | '), 'The kind of the model; its name follows.'),
      clause(
        'WITH SECRETS',
        'Shows literal secrets of clients; takes the right `SECRETS`.',
        'they are redacted',
      ),
    ],
    examples: ['SHOW CREATE RELAY trips;', 'SHOW CREATE CLIENT warehouse WITH SECRETS;'],
    seeAlso: ['describe-model', 'drop-model'],
  }),
  entry('DROP MODEL', {
    heads: MODEL_KINDS.map((kind) => `DROP ${kind}`),
    summary:
      'Removes a model from the selected domain. Models that use it have to go in the same transaction.',
    clauses: [clause(MODEL_KINDS.join(' | '), 'The kind of the model; its name follows.')],
    notes: ['A wire schema is named with its format.'],
    examples: [
      'DROP RELAY trips;',
      'DROP WIRE JSON SCHEMA trip_json;',
      'DROP WINDOW PROCESSOR averages;',
    ],
    seeAlso: ['show-create', 'begin'],
  }),
  entry('DESCRIBE MODEL', {
    heads: DESCRIBED.map((kind) => `DESCRIBE ${kind}`),
    summary:
      'Shows how a model is doing: status, owner, rates, delays, errors, and what concerns its kind.',
    clauses: [clause(DESCRIBED.join(' | '), 'The kind of the model; its name follows.')],
    examples: ['DESCRIBE INGESTOR trips_in;', 'DESCRIBE WINDOW PROCESSOR averages;'],
    seeAlso: ['describe-relay', 'describe-wasm-processor', 'show-create'],
  }),
  entry('DESCRIBE RELAY', {
    summary: 'Shows how a relay is doing: depth, branches, rates and the state it keeps.',
    clauses: [
      clause(
        'WHERE',
        'Narrows the answer to branches whose key fields have these values.',
        'all branches',
      ),
    ],
    examples: ['DESCRIBE RELAY trips;', "DESCRIBE RELAY trips WHERE (city = 'Oslo', zone = 4);"],
    seeAlso: ['show-relay', 'create-relay'],
  }),
  entry('DESCRIBE WASM PROCESSOR', {
    summary: 'Shows how a WASM processor is doing: its branches, checkpoints, limits and resets.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: [
      'DESCRIBE WASM PROCESSOR sessions;',
      'DESCRIBE WASM PROCESSOR sessions FORMAT JSON;',
    ],
    seeAlso: ['reset-wasm-processor', 'create-wasm-processor'],
  }),
  entry('SHOW RELAY', {
    summary: 'Shows the latest record that a materialized relay keeps, for each branch.',
    clauses: [clause('MATERIALIZED STATE', 'Has to stand behind the name.')],
    examples: ['SHOW RELAY trips MATERIALIZED STATE;'],
    seeAlso: ['describe-relay', 'create-subscription'],
  }),
  entry('SHOW INGESTORS', {
    summary: 'Lists the ingestors of the selected domain with their sources and status.',
    examples: ['SHOW INGESTORS;'],
    seeAlso: ['describe-model', 'create-ingestor'],
  }),
  entry('SHOW UDFS', {
    summary: 'Lists the user-defined functions of the selected domain.',
    examples: ['SHOW UDFS;'],
    seeAlso: ['create-udf'],
  }),
  entry('SHOW PLACEMENTS', {
    summary: 'Lists the placements of the selected domain with what they cover now.',
    examples: ['SHOW PLACEMENTS;'],
    seeAlso: ['create-placement', 'explain-placement'],
  }),
  entry('SHOW CLUSTER STATUS', {
    summary: 'Shows the nodes of the cluster, the domains and who runs what.',
    examples: ['SHOW CLUSTER STATUS;'],
    seeAlso: ['describe-domain', 'cordon-node'],
  }),
  entry('LOOKUP', {
    summary: 'Looks a key up in a hash map and shows the record found.',
    clauses: [clause('KEY', 'The key: a string, a number, `TRUE` or `FALSE`.')],
    examples: ["LOOKUP cities KEY 'OSL';", 'LOOKUP zones KEY 4;'],
    seeAlso: ['create-hash-map'],
  }),
];
