import { clause, type SharedClause, sharedClause } from './entry.js';

export const IF_NOT_EXISTS: SharedClause = sharedClause('If not exists', {
  keywords: 'IF NOT EXISTS',
  summary: 'Makes the statement succeed without any change when the name is taken already.',
  omitted: 'a taken name is an error',
  rules: [],
  notes: [
    'Only kind and name are compared: the existing definition may differ and stays as it is.',
  ],
});

export const ACKNOWLEDGEMENT: SharedClause = sharedClause('Acknowledgement', {
  keywords: 'ATTACHED | DETACHED',
  summary: 'Whether sources wait for what this node does with a record.',
  omitted: '`ATTACHED`',
  rules: [],
  forms: [
    clause('ATTACHED', 'A source acknowledges a record only after this node is done with it.'),
    clause('DETACHED', 'A source does not wait for this node, nor hear of its failures.'),
  ],
  notes: [
    '`CREATE` has the word before the kind.',
    'A detached node still confirms, retries and slows down what feeds it.',
  ],
});

export const SCHEMA_TYPE: SharedClause = sharedClause('Schema type', {
  keywords: '',
  summary:
    'The type of a field, an argument or a result. The outermost length of an array comes first.',
  rules: ['schemaType'],
});

export const WIRE_TYPE: SharedClause = sharedClause('Wire type', {
  keywords: '',
  summary: 'The type of a field as it stands in a payload: first JSON and CBOR, then Avro.',
  rules: ['jsonWireType', 'avroWireType'],
});

export const INPUTS: SharedClause = sharedClause('Inputs', {
  keywords: 'FROM',
  summary: 'The relays a node reads, each with a condition of its own if needed.',
  rules: ['inputs'],
  forms: [
    clause(
      'WHERE',
      'Takes only rows of the relay before it for which the condition holds.',
      'all rows',
    ),
    clause(
      'COLLECT FOR',
      'Gathers rows for a while before they are worked on; counts for the whole list.',
      'every batch is worked on as it comes',
    ),
  ],
  notes: ['All relays of one node have the same schema; processors also need the same branching.'],
});

export const COLLECT: SharedClause = sharedClause('Collect', {
  keywords: 'COLLECT FOR',
  summary:
    'Gathers input rows per relay and branch for a time in domain time, then works on them at once.',
  omitted: 'every batch is worked on as it comes',
  rules: ['collect'],
  forms: [
    clause(
      'MAX BATCH SIZE',
      'Ends gathering early once this many bytes are held.',
      'time alone decides',
    ),
  ],
});

export const FILTER: SharedClause = sharedClause('Filter', {
  keywords: 'FILTER WHERE',
  summary:
    'Drops, before the node does its own work, every row for which the condition is not true.',
  omitted: 'all rows are worked on',
  rules: ['filter'],
  notes: ['A dropped row counts as processed: its source may acknowledge it.'],
});

export const WHERE: SharedClause = sharedClause('Where', {
  keywords: 'WHERE',
  summary: 'A condition: rows for which it is false or null are left out.',
  omitted: 'all rows',
  rules: ['where'],
});

export const BRANCHING: SharedClause = sharedClause('Branching', {
  keywords: 'BRANCHED BY | UNBRANCHED',
  summary: 'Whether rows are kept apart by the keys of a branch declaration.',
  rules: ['branching'],
  forms: [
    clause('BRANCHED BY', 'Keeps state, order and buffers once per key of the named branch.'),
    clause('UNBRANCHED', 'There is one stream and no key.'),
  ],
  notes: ['A processor and all relays it reads or writes declare the same.'],
});

export const MATERIALIZED_DEPENDENCY: SharedClause = sharedClause('Materialized dependency', {
  keywords: 'USING MATERIALIZED STATE',
  summary:
    'Makes the latest record of another relay readable as `relay_state.<relay>.<field>` while rows are worked on.',
  omitted: 'no other relay is readable',
  rules: ['materializedDependency', 'dependencyPolicy'],
  forms: [
    clause('REQUIRED SKIP', 'Rows that arrive before there is a record are dropped.'),
    clause('REQUIRED WAIT', 'Rows that arrive before there is a record wait for it.'),
    clause('DEFAULT', 'Constants stand in for a record as long as there is none.'),
  ],
  notes: ['Several dependencies are resolved in written order, once for each batch.'],
});

export const FLUSHED_ROUTE: SharedClause = sharedClause('Flushed route', {
  keywords: 'TO',
  summary: 'One output: a relay, how its records are built and when they leave.',
  rules: ['flushedRoute'],
  notes: ['Every row is offered to every route; the routes do not know of each other.'],
});

export const ENTRY_ROUTE: SharedClause = sharedClause('Entry route', {
  keywords: 'TO',
  summary:
    'One output of a node where branches begin: as a flushed route, with the branch it enters.',
  rules: ['entryRoute'],
});

export const SET_ROUTE: SharedClause = sharedClause('Set route', {
  keywords: 'TO',
  summary: 'One output whose record is built by assignments alone.',
  rules: ['setOnlyRoute'],
});

export const WINDOW_ROUTE: SharedClause = sharedClause('Window route', {
  keywords: 'TO',
  summary: 'One output of a window: assignments over aggregates. It leaves when the window does.',
  rules: ['unflushedRoute'],
});

export const WASM_ROUTE: SharedClause = sharedClause('Guest route', {
  keywords: 'TO',
  summary: 'One output of a guest module; it leaves when the guest hands it over.',
  rules: ['wasmRoute'],
});

export const CONSTRUCTION: SharedClause = sharedClause('Construction', {
  keywords: 'INHERIT | SET | WHERE | INVOKE',
  summary:
    'How the output record of a route is built; it starts empty and nothing is copied by itself.',
  omitted: 'the output record is empty',
  rules: ['construction'],
  forms: [
    clause(
      'INHERIT',
      'Copies fields that input and output have in common, in name, type and optionality.',
    ),
    clause('INHERIT ALL', 'Copies every common field, except those named behind `EXCEPT`.'),
    clause('SET', 'Assigns fields from left to right; later ones read what earlier ones wrote.'),
    clause('WHERE', 'Keeps the finished record only if the condition is true.'),
    clause('INVOKE', 'Calls functions for their effect, such as `write_header`; emitters only.'),
  ],
  notes: [
    'The clauses stand in this order, each at most once.',
    '`LEAK SENSITIVE` behind an inherited field lets a sensitive value into a field that is not.',
  ],
});

export const SET_CONSTRUCTION: SharedClause = sharedClause('Set construction', {
  keywords: 'SET | WHERE',
  summary: 'Builds the output record where there is no input record to inherit from.',
  rules: ['setWhere', 'optionalSetWhere', 'setOnly'],
  forms: [
    clause('SET', 'Assigns fields from left to right.'),
    clause(
      'WHERE',
      'Keeps the finished record only if the condition is true.',
      'every record is kept',
    ),
  ],
});

export const INVOKE: SharedClause = sharedClause('Invoke', {
  keywords: 'INVOKE',
  summary: 'Calls functions for their effect on the outgoing message, from left to right.',
  omitted: 'nothing is called',
  rules: ['invoke'],
});

export const ROUTE_BRANCH: SharedClause = sharedClause('Route branch', {
  keywords: 'BRANCHED BY | UNBRANCHED',
  summary: 'The branch that a row enters with this route, where streams get their keys.',
  rules: ['entryBranch'],
  forms: [
    clause('BRANCHED BY', 'Enters the named branch.'),
    clause(
      'SET',
      'Assigns the key fields, bare or as `branch.<field>`.',
      'the key stays as it came in',
    ),
    clause('UNBRANCHED', 'Enters a relay without keys.'),
  ],
});

export const FLUSH: SharedClause = sharedClause('Flush', {
  keywords: 'FLUSH EACH | FLUSH IMMEDIATE',
  summary: 'When gathered output leaves.',
  rules: ['flush'],
  forms: [
    clause('FLUSH EACH', 'After this time in domain time, counted from the first row that waits.'),
    clause(
      'MAX BATCH SIZE',
      'Earlier, once this many bytes wait. Has to stand behind `FLUSH EACH`.',
    ),
    clause('FLUSH IMMEDIATE', 'As soon as there is something, for the shortest delay.'),
  ],
});

export const MESSAGE_ERROR: SharedClause = sharedClause('Message error', {
  keywords: 'ON MESSAGE ERROR',
  summary: 'What becomes of a single record that cannot be worked on.',
  rules: ['messageError'],
  forms: [
    clause('IGNORE', 'It is dropped and counted.'),
    clause('LOG', 'It is dropped, counted and logged, without its values.'),
    clause('SEND TO', 'An error record is built from bare assignments and sent to a relay.'),
  ],
  notes: [
    'Error records read `error.code`, `error.message`, `error.operation` and their like, and `partial_output`.',
  ],
});

export const GENERAL_ERROR: SharedClause = sharedClause('General error', {
  keywords: 'ON GENERAL ERROR',
  summary: 'What becomes of a failure that concerns no single record.',
  rules: ['generalError'],
  forms: [clause('IGNORE', 'It is counted.'), clause('LOG', 'It is counted and logged.')],
});

export const GLOBAL_ERROR: SharedClause = sharedClause('Global error', {
  keywords: 'ON GLOBAL ERROR',
  summary: 'What becomes of a failure of the guest module itself, such as running out of fuel.',
  rules: ['globalError'],
  forms: [clause('IGNORE', 'It is counted.'), clause('LOG', 'It is counted and logged.')],
});
