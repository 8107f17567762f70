import { PLACEMENT_POLICY } from './administration-clauses.js';
import { BATCH, DECODE_ERROR, QUIESCE } from './connector-clauses.js';
import { type ClauseEntry, clause, type StatementEntry } from './entry.js';
import {
  ACKNOWLEDGEMENT,
  BRANCHING,
  COLLECT,
  ENTRY_ROUTE,
  FILTER,
  FLUSH,
  FLUSHED_ROUTE,
  GENERAL_ERROR,
  MATERIALIZED_DEPENDENCY,
  SET_ROUTE,
} from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Changing models', title, draft);

/** What every ALTER has in common; each operation needs no other. */
const SEVERAL =
  'Operations are separated by commas and apply from left to right; all of them do or none.';

/**
 * An operation that gives a shared clause a new value.
 *
 * @param keywords as in {@link clause}
 */
function sets(keywords: string, entryOfClause: ClauseEntry, summary?: string): ClauseEntry {
  const { shared, summary: shown } = entryOfClause;
  const set = clause(keywords, summary ?? shown);
  return shared === undefined ? set : { ...set, shared };
}

const ROUTE_NOTE = 'Names a route by its relay; the last route stays.';

const SOURCE_OPERATIONS: readonly ClauseEntry[] = [
  clause('ADD FROM', 'Reads one more relay, perhaps with a condition.'),
  clause('DROP FROM', 'Reads a relay no more.'),
  clause('ALTER FROM', 'Gives an input a condition with `SET WHERE`, or none with `DROP WHERE`.'),
  sets('SET COLLECT FOR', uses(COLLECT)),
  clause('DROP COLLECT', 'Works on batches as they come.'),
  sets('SET ATTACHED | SET DETACHED', uses(ACKNOWLEDGEMENT)),
];

const PROCESSOR_OPERATIONS: readonly ClauseEntry[] = [
  ...SOURCE_OPERATIONS,
  sets('SET FILTER WHERE', uses(FILTER)),
  clause('DROP FILTER WHERE', 'Works on all rows.'),
];

const DEPENDENCY_OPERATIONS: readonly ClauseEntry[] = [
  sets('ADD MATERIALIZED STATE', uses(MATERIALIZED_DEPENDENCY)),
  clause('DROP MATERIALIZED STATE', 'Reads the latest record of a relay no more.'),
  clause('ALTER MATERIALIZED STATE', 'Changes what happens while there is no record.'),
];

const ROUTE_OPERATIONS: readonly ClauseEntry[] = [
  sets('ADD ROUTE', uses(FLUSHED_ROUTE), 'Adds an output.'),
  clause('DROP ROUTE TO', ROUTE_NOTE),
  sets(
    'REPLACE ROUTE',
    uses(FLUSHED_ROUTE),
    'Puts an output in the place of the one to the same relay.',
  ),
];

const ENTRY_ROUTE_OPERATIONS: readonly ClauseEntry[] = [
  sets('ADD ROUTE', uses(ENTRY_ROUTE), 'Adds an output.'),
  clause('DROP ROUTE TO', ROUTE_NOTE),
  sets(
    'REPLACE ROUTE',
    uses(ENTRY_ROUTE),
    'Puts an output in the place of the one to the same relay.',
  ),
];

/** Changes of models that exist. */
export const ALTER_STATEMENTS: readonly StatementEntry[] = [
  entry('ALTER SCHEMA', {
    summary: 'Changes the fields of a schema.',
    clauses: [
      clause('ADD FIELD', 'Adds a field with its type and modifiers.'),
      clause('DROP FIELD', 'Removes a field.'),
      clause('RENAME FIELD', 'Gives a field another name.'),
      clause(
        'ALTER FIELD',
        'Changes a field: `SET TYPE`, and `SET` or `DROP` of `OPTIONAL` and `SENSITIVE`.',
      ),
    ],
    notes: [SEVERAL, 'Everything that uses the schema is checked against the result.'],
    examples: [
      'ALTER SCHEMA trip ADD FIELD tip F64 OPTIONAL;',
      `ALTER SCHEMA trip
  RENAME FIELD driver TO chauffeur,
  ALTER FIELD chauffeur SET SENSITIVE,
  ALTER FIELD fare SET TYPE F32,
  DROP FIELD stops;`,
    ],
    seeAlso: ['create-schema', 'alter-wire-schema'],
  }),
  entry('ALTER WIRE SCHEMA', {
    heads: ['ALTER WIRE'],
    summary: 'Changes the fields or the strictness of a wire schema.',
    clauses: [
      clause('MODE', '`STRICT` or `LOOSE`.'),
      clause('ADD FIELD', 'Adds a field with its wire type, perhaps `OPTIONAL`.'),
      clause('DROP FIELD', 'Removes a field.'),
      clause('RENAME FIELD', 'Gives a field another name.'),
      clause('ALTER FIELD', 'Changes a field: `SET TYPE`, `SET OPTIONAL` or `DROP OPTIONAL`.'),
    ],
    notes: [SEVERAL],
    examples: [
      'ALTER WIRE JSON SCHEMA trip_json MODE LOOSE;',
      `ALTER WIRE AVRO SCHEMA trip_avro
  ADD FIELD tip DOUBLE OPTIONAL, ALTER FIELD fare SET TYPE FLOAT, RENAME FIELD driver TO chauffeur;`,
    ],
    seeAlso: ['create-wire-schema', 'alter-schema'],
  }),
  entry('ALTER RELAY', {
    summary: 'Changes capacity, schema, branching or materialized state of a relay.',
    clauses: [
      clause('SET CAPACITY', 'Batches that may wait. Takes effect without a pause.'),
      clause('SET SCHEMA', 'Another schema.'),
      sets('SET BRANCHED BY | SET UNBRANCHED', uses(BRANCHING)),
      clause('SET MATERIALIZED STATE LAST BY TIMESTAMP', 'Keeps the latest record from now on.'),
      clause('DROP MATERIALIZED STATE', 'Keeps it no more and forgets what is there.'),
    ],
    notes: [SEVERAL],
    examples: [
      'ALTER RELAY trips SET CAPACITY 64;',
      'ALTER RELAY trips SET SCHEMA trip_v2, SET UNBRANCHED, DROP MATERIALIZED STATE;',
    ],
    seeAlso: ['create-relay'],
  }),
  entry('ALTER INGESTOR', {
    summary: 'Changes source, decoding, time, filter, outputs or error policies of an ingestor.',
    clauses: [
      clause('SET FROM', 'Another source, complete with its mode and `ON QUIESCE`.'),
      sets('SET QUIESCE', uses(QUIESCE)),
      clause('SET DECODE USING', 'Another codec.'),
      clause('SET TIMESTAMP', '`NOW`, or `AT` a field.'),
      clause('DROP TIMESTAMP', 'Takes the time the source gives.'),
      sets('SET FILTER WHERE', uses(FILTER)),
      clause('DROP FILTER WHERE', 'Takes all rows.'),
      ...ENTRY_ROUTE_OPERATIONS,
      sets('SET GENERAL ERROR', uses(GENERAL_ERROR)),
      sets('SET DECODE ERROR', uses(DECODE_ERROR)),
      clause('DROP DECODE ERROR', 'Goes back to what holds without the clause.'),
    ],
    notes: [
      SEVERAL,
      'Intake is held while the change is made; the old source stays if that fails.',
    ],
    examples: [
      'ALTER INGESTOR trips_in SET DECODE USING trip_codec_v2;',
      `ALTER INGESTOR trips_in
  SET QUIESCE SUSPEND,
  SET TIMESTAMP AT started,
  SET FILTER WHERE input.fare > 0.0,
  REPLACE ROUTE TO trips INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG,
  SET DECODE ERROR LOG;`,
    ],
    seeAlso: ['create-ingestor'],
  }),
  entry('ALTER JUNCTION', {
    summary: 'Changes inputs, filter, branching, dependencies or outputs of a junction.',
    clauses: [
      ...PROCESSOR_OPERATIONS,
      sets('SET BRANCHED BY | SET UNBRANCHED', uses(BRANCHING)),
      ...DEPENDENCY_OPERATIONS,
      ...ROUTE_OPERATIONS,
    ],
    notes: [
      SEVERAL,
      'A field or target named `add`, `drop`, `alter`, `set`, `replace` or `rename` behind a comma has ' +
        'to be quoted or qualified here.',
    ],
    examples: [
      'ALTER JUNCTION split_trips ADD FROM night_trips WHERE input.fare > 0.0;',
      `ALTER JUNCTION split_trips
  ALTER FROM trips SET WHERE input.fare > 1.0,
  DROP COLLECT,
  SET DETACHED,
  ALTER MATERIALIZED STATE rates SET DEFAULT {factor = 1.0},
  ADD ROUTE TO late_trips INHERIT ALL SET late = TRUE, fare = 0.0 FLUSH IMMEDIATE ON MESSAGE ERROR LOG,
  DROP ROUTE TO all_trips;`,
    ],
    seeAlso: ['create-junction'],
  }),
  entry('ALTER DEDUPLICATOR', {
    summary: 'Changes key, time, inputs or outputs of a deduplicator.',
    clauses: [
      clause('SET DEDUPLICATE ON', 'Another key. Remembered keys are forgotten.'),
      clause('SET MAX TIME', 'How long keys are remembered.'),
      ...PROCESSOR_OPERATIONS,
      sets('SET BRANCHED BY | SET UNBRANCHED', uses(BRANCHING)),
      ...DEPENDENCY_OPERATIONS,
      ...ROUTE_OPERATIONS,
    ],
    notes: [SEVERAL],
    examples: [
      'ALTER DEDUPLICATOR once SET MAX TIME 1h;',
      'ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.id, input.city, SET FILTER WHERE input.id > 0;',
    ],
    seeAlso: ['create-deduplicator'],
  }),
  entry('ALTER REORDERER', {
    summary: 'Changes order, time, inputs or outputs of a reorderer.',
    clauses: [
      clause('SET BY', 'Another order. What is held leaves first.'),
      clause('SET MAX TIME', 'How long records are held.'),
      ...PROCESSOR_OPERATIONS,
      sets('SET BRANCHED BY | SET UNBRANCHED', uses(BRANCHING)),
      ...DEPENDENCY_OPERATIONS,
      ...ROUTE_OPERATIONS,
    ],
    notes: [SEVERAL],
    examples: [
      'ALTER REORDERER in_order SET MAX TIME 10s;',
      `ALTER REORDERER in_order
  SET BY input.started, input.id, DROP FILTER WHERE, SET BRANCHED BY by_city;`,
    ],
    seeAlso: ['create-reorderer'],
  }),
  entry('ALTER REINGESTOR', {
    summary: 'Changes inputs, filter, dependencies or outputs of a reingestor.',
    clauses: [...PROCESSOR_OPERATIONS, ...DEPENDENCY_OPERATIONS, ...ENTRY_ROUTE_OPERATIONS],
    notes: [SEVERAL],
    examples: [
      'ALTER REINGESTOR by_driver SET ATTACHED;',
      `ALTER REINGESTOR by_driver
  SET COLLECT FOR 100ms MAX BATCH SIZE 64KiB,
  ADD MATERIALIZED STATE rates REQUIRED WAIT,
  ADD ROUTE TO archive INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
    ],
    seeAlso: ['create-reingestor'],
  }),
  entry('ALTER GENERATOR', {
    summary: 'Changes what a generator reads, how often, and what it writes.',
    clauses: [
      clause('SET MATERIALIZED STATE', 'Another relay to read.'),
      clause('SET EACH', 'Another time between rounds.'),
      sets('SET BRANCHED BY | SET UNBRANCHED', uses(BRANCHING)),
      sets('ADD ROUTE', uses(SET_ROUTE), 'Adds an output.'),
      clause('DROP ROUTE TO', ROUTE_NOTE),
      sets(
        'REPLACE ROUTE',
        uses(SET_ROUTE),
        'Puts an output in the place of the one to the same relay.',
      ),
    ],
    notes: [SEVERAL],
    examples: [
      'ALTER GENERATOR heartbeat SET EACH 30s;',
      `ALTER GENERATOR heartbeat
  SET MATERIALIZED STATE readings,
  SET UNBRANCHED,
  REPLACE ROUTE TO beats SET celsius = relay_state.readings.celsius FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
    ],
    seeAlso: ['create-generator'],
  }),
  entry('ALTER EMITTER', {
    summary: 'Changes inputs, sink, mode, encoding or batching of an emitter.',
    clauses: [
      ...SOURCE_OPERATIONS,
      clause(
        'SET TO',
        'Another sink with its mode; an HTTP sink says `ENCODE USING` or `WITHOUT BODY` too.',
      ),
      clause('SET CLIENT', 'Another client for the same sink.'),
      clause('SET MODE', 'Another mode.'),
      clause('SET ENCODE USING', 'Another codec.'),
      clause('DROP ENCODE', 'No codec any more.'),
      sets('SET BATCH', uses(BATCH)),
      clause('DROP BATCH', 'One payload a record.'),
      sets('SET FLUSH EACH | SET FLUSH IMMEDIATE', uses(FLUSH)),
      clause('SET COMMIT EACH', 'When staged files enter an Iceberg table.'),
    ],
    notes: [SEVERAL],
    examples: [
      'ALTER EMITTER trips_out SET FLUSH EACH 1s MAX BATCH SIZE 4MiB;',
      `ALTER EMITTER trips_out
  SET TO KAFKA events TOPIC paid_v2 MODE NO_ACK RETRY POLICY BACKOFF 100ms MAX 10s,
  SET ENCODE USING trip_codec_v2,
  SET BATCH MAX MESSAGES 100 MAX SIZE 256KiB,
  DROP FROM legacy_trips,
  SET DETACHED;`,
      `ALTER EMITTER alerts
  SET TO HTTP desk METHOD 'PUT' PATH '/alerts' MODE ACK RETRY POLICY BACKOFF 1s MAX 30s WITHOUT BODY;`,
    ],
    seeAlso: ['create-emitter'],
  }),
  entry('ALTER PLACEMENT', {
    summary: 'Changes what a placement covers, what it asks for, its rank or its name.',
    clauses: [
      sets('SET POLICY', uses(PLACEMENT_POLICY)),
      clause('SET RANK', 'Another rank.'),
      clause('DROP RANK', 'No rank: weaker than any.'),
      clause('SET FROM', 'Other ends of the ways it covers, with `TO`.'),
      clause('RENAME TO', 'Another name.'),
    ],
    notes: [SEVERAL],
    examples: [
      'ALTER PLACEMENT together SET POLICY PREFER COLOCATION;',
      'ALTER PLACEMENT together SET FROM trips_in TO fares_by_city, SET RANK 1, RENAME TO close_by;',
    ],
    seeAlso: ['create-placement'],
  }),
];
