import { RESOURCE_VERSION } from './connector-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import {
  ACKNOWLEDGEMENT,
  BRANCHING,
  COLLECT,
  CONSTRUCTION,
  ENTRY_ROUTE,
  FILTER,
  FLUSH,
  FLUSHED_ROUTE,
  GLOBAL_ERROR,
  IF_NOT_EXISTS,
  INPUTS,
  MATERIALIZED_DEPENDENCY,
  MESSAGE_ERROR,
  ROUTE_BRANCH,
  SET_CONSTRUCTION,
  SET_ROUTE,
  WASM_ROUTE,
  WINDOW_ROUTE,
} from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Processors', title, draft);

const INTAKE = [uses(IF_NOT_EXISTS), uses(ACKNOWLEDGEMENT), uses(INPUTS), uses(COLLECT)];
const SETTING = [uses(BRANCHING), uses(MATERIALIZED_DEPENDENCY)];
const FLUSHED = [uses(FLUSHED_ROUTE), uses(CONSTRUCTION), uses(FLUSH), uses(MESSAGE_ERROR)];
const SET_FLUSHED = [uses(SET_ROUTE), uses(SET_CONSTRUCTION), uses(FLUSH), uses(MESSAGE_ERROR)];

/** What works on records between relays. */
export const PROCESSOR_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE JUNCTION', {
    summary: 'Filters, reshapes, merges and distributes records without keeping any state.',
    clauses: [...INTAKE, uses(FILTER), ...SETTING, ...FLUSHED],
    examples: [
      `CREATE JUNCTION copy FROM trips UNBRANCHED
  TO archive INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
      `CREATE DETACHED JUNCTION split_trips
  FROM trips WHERE input.fare > 0.0, legacy_trips COLLECT FOR 50ms MAX BATCH SIZE 64KiB
  FILTER WHERE input.city != ''
  BRANCHED BY by_city
  USING MATERIALIZED STATE rates REQUIRED SKIP
  TO paid_trips
    INHERIT ALL EXCEPT raw
    SET fare = message.fare * relay_state.rates.factor, city = lower(input.city)
    WHERE output.fare > 10.0
    FLUSH EACH 1s MAX BATCH SIZE 1MiB
    ON MESSAGE ERROR SEND TO failures SET id = input.id, why = error.message
  TO all_trips
    INHERIT ALL
    FLUSH IMMEDIATE
    ON MESSAGE ERROR IGNORE;`,
    ],
    seeAlso: ['alter-junction', 'create-relay', 'create-reingestor'],
  }),
  entry('CREATE DEDUPLICATOR', {
    summary: 'Lets the first record of each key pass and drops further ones for a time.',
    clauses: [
      ...INTAKE,
      uses(FILTER),
      clause('DEDUPLICATE ON', 'Expressions that form the key; null is a key like any other.'),
      clause('MAX TIME', 'How long a key is remembered, in domain time.'),
      ...SETTING,
      ...FLUSHED,
    ],
    notes: [
      'A dropped record does not extend the time.',
      'A key is forgotten again if the record that brought it fails further on.',
    ],
    examples: [
      `CREATE DEDUPLICATOR once FROM trips DEDUPLICATE ON input.id MAX TIME 10m UNBRANCHED
  TO unique_trips INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
      `CREATE DEDUPLICATOR once_a_city
  FROM trips
  FILTER WHERE input.fare > 0.0
  DEDUPLICATE ON input.id, lower(input.city)
  MAX TIME 24h
  BRANCHED BY by_city
  TO unique_trips INHERIT ALL FLUSH EACH 1s MAX BATCH SIZE 256KiB ON MESSAGE ERROR LOG;`,
    ],
    seeAlso: ['alter-deduplicator', 'create-reorderer'],
  }),
  entry('CREATE REORDERER', {
    summary: 'Holds records back for a while and passes them on in the order of a key.',
    clauses: [
      ...INTAKE,
      uses(FILTER),
      clause('BY', 'Expressions to order by, ascending; null comes first.'),
      clause('MAX TIME', 'How long a record is held at most, in domain time.'),
      ...SETTING,
      ...FLUSHED,
    ],
    notes: [
      'Order holds within what is released at once; a record that comes too late is not lost.',
    ],
    examples: [
      `CREATE REORDERER in_order FROM trips BY input.started MAX TIME 5s UNBRANCHED
  TO ordered_trips INHERIT ALL FLUSH EACH 1s MAX BATCH SIZE 1MiB ON MESSAGE ERROR LOG;`,
      `CREATE ATTACHED REORDERER in_order
  FROM trips WHERE input.fare > 0.0
  BY input.started, input.id
  MAX TIME 30s
  BRANCHED BY by_city
  TO ordered_trips INHERIT ALL FLUSH EACH 10s MAX BATCH SIZE 4MiB ON MESSAGE ERROR IGNORE;`,
    ],
    seeAlso: ['alter-reorderer', 'create-deduplicator'],
  }),
  entry('CREATE CORRELATOR', {
    summary:
      'Joins records of two sides that belong together and arrive within a time of each other.',
    clauses: [
      ...INTAKE.slice(0, 2),
      clause('LEFT FROM', 'Relays of the left side; conditions and `COLLECT FOR` as elsewhere.'),
      clause('RIGHT FROM', 'Relays of the right side.'),
      uses(COLLECT),
      clause('CORRELATE WHERE', 'Which records belong together, over `left` and `right`.'),
      clause(
        'MATCH',
        'Which of several candidates is taken: `EARLIEST` or `LATEST`. The others are discarded.',
      ),
      clause('MAX TIME', 'How long a record waits for its counterpart, in domain time.'),
      clause(
        'ON CORRELATION TIMEOUT',
        'What becomes of left and of right records that found none: `DROP`, or `SEND TO` a relay.',
      ),
      ...SETTING,
      ...SET_FLUSHED,
    ],
    examples: [
      `CREATE CORRELATOR paid LEFT FROM trips RIGHT FROM payments
  CORRELATE WHERE left.id = right.trip MATCH LATEST MAX TIME 1h
  ON CORRELATION TIMEOUT DROP, DROP
  UNBRANCHED
  TO paid_trips SET id = left.id, amount = right.amount FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
      `CREATE DETACHED CORRELATOR paid
  LEFT FROM trips WHERE input.fare > 0.0
  RIGHT FROM payments COLLECT FOR 100ms
  CORRELATE WHERE left.id = right.trip
  MATCH EARLIEST
  MAX TIME 24h
  ON CORRELATION TIMEOUT SEND TO unpaid_trips, DROP
  BRANCHED BY by_city
  TO paid_trips
    SET id = left.id, amount = right.amount
    WHERE output.amount > 0.0
    FLUSH EACH 1s MAX BATCH SIZE 1MiB
    ON MESSAGE ERROR LOG;`,
    ],
    seeAlso: ['create-window-processor', 'create-relay'],
  }),
  entry('CREATE WINDOW PROCESSOR', {
    summary: 'Aggregates records over windows that are bounded by number, by time or by both.',
    clauses: [
      ...INTAKE,
      uses(FILTER),
      clause('WIDTH', 'When a window is full: `n MESSAGES`, a duration with `DURATION`, or both.'),
      clause(
        'STEP',
        'How much leaves at the front afterwards; no more than the width, in its terms.',
      ),
      clause(
        'MAX STATE SIZE',
        'Largest state of a branch. Approximate aggregates need it.',
        'no limit',
      ),
      ...SETTING,
      uses(WINDOW_ROUTE),
      uses(SET_CONSTRUCTION),
      uses(MESSAGE_ERROR),
    ],
    notes: [
      'A step as large as the width makes windows that do not overlap.',
      'Routes have no `FLUSH`: they emit when a window is full. Each uses an aggregate.',
    ],
    examples: [
      `CREATE WINDOW PROCESSOR averages FROM trips WIDTH 100 MESSAGES STEP 100 MESSAGES UNBRANCHED
  TO fares SET average = avg(input.fare) ON MESSAGE ERROR LOG;`,
      `CREATE WINDOW PROCESSOR fares_by_city
  FROM trips COLLECT FOR 100ms
  FILTER WHERE input.fare > 0.0
  WIDTH 1000 MESSAGES 10m DURATION
  STEP 1m DURATION
  MAX STATE SIZE 4MiB
  BRANCHED BY by_city
  TO fares
    SET city = branch.city,
        trips = count(input.id),
        average = avg(input.fare),
        highest = max(input.fare)
    WHERE output.trips > 10
    ON MESSAGE ERROR LOG;`,
    ],
    seeAlso: ['create-correlator', 'describe-model'],
  }),
  entry('CREATE INFERENCER', {
    summary: 'Runs records through a machine-learning model of a resource.',
    clauses: [
      ...INTAKE,
      uses(FILTER),
      clause('USING RESOURCE', 'The resource with the model.'),
      uses(RESOURCE_VERSION),
      clause('FILE', 'The model file within it.'),
      clause('INPUTS', 'Every input tensor of the model, with its shape and its value.'),
      clause('OUTPUT SCHEMA', 'Every output tensor of the model, with its shape.'),
      clause(
        'DENSE TENSOR',
        'Element type and shape; a dimension is a number, `DYNAMIC`, or `BATCH` for the rows of a flush.',
      ),
      ...SETTING,
      ...FLUSHED,
    ],
    notes: ['Routes read the outputs by name; they inherit nothing.'],
    examples: [
      `CREATE INFERENCER score FROM trips
  USING RESOURCE models VERSION LATEST FILE 'fraud.onnx'
  INPUTS {'x' DENSE TENSOR<F32>[BATCH, 8] = input.features}
  OUTPUT SCHEMA {'y' DENSE TENSOR<F32>[BATCH]}
  UNBRANCHED
  TO scores SET score = y FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
      `CREATE DETACHED INFERENCER score
  FROM trips WHERE input.fare > 100.0
  FILTER WHERE input.city != ''
  USING RESOURCE models VERSION 7
  FILE 'fraud.onnx'
  INPUTS {
    'amount' DENSE TENSOR<F32>[BATCH] = input.fare AS F32,
    'history' DENSE TENSOR<F32>[BATCH, DYNAMIC] = input.history
  }
  OUTPUT SCHEMA {'probability' DENSE TENSOR<F32>[BATCH], 'reason' DENSE TENSOR<F32>[BATCH, 4]}
  BRANCHED BY by_city
  TO scores
    SET score = probability, reasons = reason
    WHERE output.score > 0.5 AS F32
    FLUSH EACH 250ms MAX BATCH SIZE 1MiB
    ON MESSAGE ERROR LOG;`,
    ],
    seeAlso: ['create-resource', 'rebind-resource', 'create-wasm-processor'],
  }),
  entry('CREATE WASM PROCESSOR', {
    summary: 'Hands records to a WebAssembly module of a resource, which keeps state of its own.',
    clauses: [
      ...INTAKE,
      uses(FILTER),
      clause('USING RESOURCE', 'The resource with the module.'),
      uses(RESOURCE_VERSION),
      clause('FILE', 'The module within it.'),
      clause('MAX FUEL', 'Instructions that one call of the module may use. Above zero.'),
      clause('MAX MEMORY', 'Memory of one instance. Whole bytes above zero.'),
      ...SETTING,
      uses(WASM_ROUTE),
      uses(SET_CONSTRUCTION, 'the record is what the module wrote'),
      uses(MESSAGE_ERROR),
      clause(
        'ON REJECTED STATE',
        'What to do with saved state that the module refuses: `PRESERVE` keeps it and reports, `RESET` ' +
          'starts anew, once.',
        '`PRESERVE`',
      ),
      uses(GLOBAL_ERROR),
    ],
    notes: ['Routes have no `FLUSH` and no `INHERIT` or `INVOKE`.'],
    examples: [
      `CREATE WASM PROCESSOR sessions FROM clicks
  USING RESOURCE guests VERSION LATEST FILE 'sessions.wasm' MAX FUEL 1000000 MAX MEMORY 16MiB
  UNBRANCHED
  TO visits ON MESSAGE ERROR LOG
  ON GLOBAL ERROR LOG;`,
      `CREATE DETACHED WASM PROCESSOR sessions
  FROM clicks COLLECT FOR 50ms
  FILTER WHERE input.user IS DISTINCT FROM ''
  USING RESOURCE guests VERSION 3
  FILE 'sessions.wasm'
  MAX FUEL 50000000
  MAX MEMORY 64MiB
  BRANCHED BY by_user
  USING MATERIALIZED STATE settings REQUIRED WAIT
  TO visits
    SET user = branch.user, pages = pages
    WHERE output.pages > 1
    ON MESSAGE ERROR LOG
  ON REJECTED STATE RESET
  ON GLOBAL ERROR LOG;`,
    ],
    seeAlso: ['reset-wasm-processor', 'describe-wasm-processor', 'rebind-resource'],
  }),
  entry('CREATE GENERATOR', {
    summary: 'Produces records on a clock from the latest record of a materialized relay.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('USING MATERIALIZED STATE', 'The relay whose latest record, of each branch, is read.'),
      clause('EACH', 'Time between two rounds, in domain time; the first is at once.'),
      uses(BRANCHING),
      ...SET_FLUSHED,
    ],
    notes: ['Where there is no record yet, a round yields nothing.'],
    examples: [
      `CREATE GENERATOR heartbeat USING MATERIALIZED STATE readings EACH 10s UNBRANCHED
  TO beats SET celsius = relay_state.readings.celsius FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
      `CREATE IF NOT EXISTS GENERATOR heartbeat
  USING MATERIALIZED STATE trips
  EACH 1500ms
  BRANCHED BY by_city
  TO beats
    SET city = branch.city, fare = relay_state.trips.fare, at = now()
    WHERE output.fare > 0.0
    FLUSH EACH 5s MAX BATCH SIZE 64KiB
    ON MESSAGE ERROR IGNORE;`,
    ],
    seeAlso: ['alter-generator', 'create-relay'],
  }),
  entry('CREATE REINGESTOR', {
    summary: 'Reads relays and writes records into other branches, with keys built anew.',
    clauses: [
      ...INTAKE,
      uses(FILTER),
      uses(MATERIALIZED_DEPENDENCY),
      uses(ENTRY_ROUTE),
      uses(CONSTRUCTION),
      uses(ROUTE_BRANCH),
      uses(FLUSH),
      uses(MESSAGE_ERROR),
    ],
    notes: ['It has no branching of its own: every route says which branch it enters.'],
    examples: [
      `CREATE REINGESTOR by_driver FROM trips
  TO trips_by_driver INHERIT ALL BRANCHED BY drivers SET driver = input.driver
    FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
      `CREATE DETACHED REINGESTOR by_driver
  FROM trips WHERE input.fare > 0.0
  FILTER WHERE NOT is_null(input.driver)
  USING MATERIALIZED STATE rates REQUIRED SKIP
  TO trips_by_driver
    INHERIT ALL
    BRANCHED BY drivers SET driver = coalesce(message.driver, 'unknown')
    FLUSH EACH 1s MAX BATCH SIZE 1MiB
    ON MESSAGE ERROR LOG
  TO all_trips
    INHERIT id, driver LEAK SENSITIVE
    UNBRANCHED
    FLUSH IMMEDIATE
    ON MESSAGE ERROR IGNORE;`,
    ],
    seeAlso: ['alter-reingestor', 'create-branch', 'create-junction'],
  }),
];
