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
  summary: 'Whether sources wait for what this node does with a record. Stands before the kind.',
  omitted: '`ATTACHED`',
  rules: [],
  forms: [
    clause('ATTACHED', 'A source acknowledges a record only after this node is done with it.'),
    clause('DETACHED', 'A source does not wait for this node, nor hear of its failures.'),
  ],
  notes: ['A detached node still confirms, retries and slows down what feeds it.'],
});

export const INPUTS: SharedClause = sharedClause('Inputs', {
  keywords: 'FROM',
  summary: 'The relays a node reads, each with a condition of its own if needed.',
  rules: ['inputs', 'inputRelay'],
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

export const MATERIALIZED_DEPENDENCY: SharedClause = sharedClause('Materialized dependency', {
  keywords: 'USING MATERIALIZED STATE',
  summary:
    'Makes the latest record of another relay readable as `relay_state.<relay>.<field>` while rows are worked on.',
  omitted: 'no other relay is readable',
  rules: ['materializedDependency'],
  forms: [
    clause('REQUIRED SKIP', 'Rows that arrive before there is a record are dropped.'),
    clause('REQUIRED WAIT', 'Rows that arrive before there is a record wait for it.'),
    clause('DEFAULT', 'Constants stand in for a record as long as there is none.'),
  ],
  notes: ['Several dependencies are resolved in written order, once for each batch.'],
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
  rules: ['setWhere', 'setOnly'],
  forms: [
    clause('SET', 'Assigns fields from left to right.'),
    clause(
      'WHERE',
      'Keeps the finished record only if the condition is true.',
      'every record is kept',
    ),
  ],
});

export const WHERE: SharedClause = sharedClause('Where', {
  keywords: 'WHERE',
  summary: 'A condition: rows for which it is false or null are left out.',
  omitted: 'all rows',
  rules: ['where'],
});

export const INVOKE: SharedClause = sharedClause('Invoke', {
  keywords: 'INVOKE',
  summary: 'Calls functions for their effect on the outgoing message, from left to right.',
  omitted: 'nothing is called',
  rules: ['invoke'],
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

export const DECODE_ERROR: SharedClause = sharedClause('Decode error', {
  keywords: 'ON DECODE ERROR',
  summary: 'What becomes of a payload that the codec cannot read.',
  omitted:
    'modes without acknowledgement go on; others retry it, or skip it under `ON GENERAL ERROR IGNORE`',
  rules: ['decodeError'],
  forms: [
    clause('RETRY', 'The source delivers it again. Needs an `ACK` mode.'),
    clause('LOG', 'It is logged and skipped.'),
    clause('SEND TO', 'An error record goes to a relay; `error.payload` holds the bytes.'),
  ],
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
  rules: ['setRoute'],
});

export const WINDOW_ROUTE: SharedClause = sharedClause('Window route', {
  keywords: 'TO',
  summary: 'One output of a window: assignments over aggregates. It leaves when the window does.',
  rules: ['windowRoute'],
});

export const WASM_ROUTE: SharedClause = sharedClause('Guest route', {
  keywords: 'TO',
  summary: 'One output of a guest module; it leaves when the guest hands it over.',
  rules: ['wasmRoute'],
});

export const RESOURCE_VERSION: SharedClause = sharedClause('Resource version', {
  keywords: 'VERSION',
  summary: 'The version of a resource that is bound.',
  rules: [],
  forms: [
    clause('VERSION <n>', 'Exactly that version.'),
    clause('VERSION LATEST', 'The highest completed version now; its number is what is stored.'),
  ],
});

export const CONFIG: SharedClause = sharedClause('Config', {
  keywords: 'CONFIG',
  summary: 'Settings as text, passed to what the statement describes. May be empty: `{}`.',
  rules: ['config'],
  forms: [
    clause('SECRET', 'Takes the value from a stored secret; of clients only.'),
    clause('KEY', 'The member of the secret to take.', 'the secret has one value'),
  ],
  notes: ['Words and numbers are stored as they are written; printing quotes them.'],
});

export const RETRY_POLICY: SharedClause = sharedClause('Retry policy', {
  keywords: 'RETRY POLICY',
  summary: 'How long to wait before the next attempt.',
  rules: ['retry'],
  forms: [
    clause('BACKOFF', 'The first wait; each further one is twice as long.'),
    clause('MAX', 'The longest wait.'),
  ],
});

export const ACK_TIMEOUT: SharedClause = sharedClause('Ack timeout', {
  keywords: 'ACK TIMEOUT',
  summary: 'How long an acknowledgement may show no progress before the attempt has failed.',
  rules: ['ackTimeout'],
});

export const ACK_WINDOW: SharedClause = sharedClause('Ack window', {
  keywords: 'SEQUENTIAL | PARALLEL',
  summary: 'How many records may wait for their acknowledgement.',
  rules: ['ackWindow'],
  forms: [clause('SEQUENTIAL', 'One at a time.'), clause('PARALLEL MAX', 'Up to this many.')],
});

export const QUIESCE: SharedClause = sharedClause('Quiesce', {
  keywords: 'ON QUIESCE',
  summary:
    'What the outside meets while intake is held: during changes of models and when memory is short.',
  rules: ['quiesce'],
  forms: [
    clause('SUSPEND', 'Nothing is taken; the external system keeps it by its own rules.'),
    clause('BUFFER', 'Payloads are kept in memory up to a size and worked on afterwards.'),
    clause('DROP', 'Payloads are taken and discarded; they are counted.'),
    clause('REJECT', 'Requests of an endpoint get 503 with the given `Retry-After`.'),
  ],
  notes: ['Which forms are possible depends on the source; see the table of `CREATE INGESTOR`.'],
});

export const BATCH: SharedClause = sharedClause('Batch', {
  keywords: 'BATCH',
  summary: 'Puts several records into one payload.',
  omitted: 'one payload a record',
  rules: ['batch'],
  forms: [
    clause('MAX MESSAGES', 'Most records in one payload, 1 to 65536.'),
    clause('MAX SIZE', 'Largest payload: a whole number with B, KB, KiB, … TiB.'),
  ],
  notes: ['Row sinks and `CLIENT` need the clause; HTTP sinks cannot have it.'],
});

export const VALUES: SharedClause = sharedClause('Values', {
  keywords: 'VALUES',
  summary: 'Maps external column names to expressions over the input row, in written order.',
  rules: ['values'],
});

export const PLACEMENT_POLICY: SharedClause = sharedClause('Placement policy', {
  keywords: 'REQUIRE COLOCATION | PREFER COLOCATION | NEUTRAL | SUGGEST SEPARATION',
  summary: 'How close to each other connected nodes of the graph are to run.',
  rules: ['placementPolicy'],
  forms: [
    clause('REQUIRE COLOCATION', 'On one cluster node, always.'),
    clause('PREFER COLOCATION', 'On one cluster node where possible.'),
    clause('NEUTRAL', 'Wherever there is room.'),
    clause('SUGGEST SEPARATION', 'On different cluster nodes where possible.'),
  ],
});

export const SIGNALING: SharedClause = sharedClause('Signaling', {
  keywords: 'WITH SIGNALING PROTOCOL',
  summary: 'The handshake that a WebSocket connection goes through first.',
  omitted: 'no handshake',
  rules: [],
});

export const OUTPUT_FORMAT: SharedClause = sharedClause('Format', {
  keywords: 'FORMAT',
  summary: 'The form of the answer.',
  omitted: '`TEXT`',
  rules: ['format'],
  forms: [clause('TEXT', 'Lines for people.'), clause('JSON', 'A document for programs.')],
});

export const ROW_FILTER: SharedClause = sharedClause('Filter list', {
  keywords: 'WHERE',
  summary: 'Narrows the answer to entries whose fields have these values.',
  omitted: 'all entries',
  rules: ['literalBindings', 'literalBinding'],
});

export const LIMIT: SharedClause = sharedClause('Limit', {
  keywords: 'LIMIT',
  summary: 'Most entries in the answer.',
  omitted: 'the limit of the node',
  rules: [],
});

export const GRAPH_MEMBER: SharedClause = sharedClause('Graph member', {
  keywords: '',
  summary: 'A node of the graph that is placed on cluster nodes, by kind and name.',
  rules: ['graphMember'],
});

export const RELOCATION_SELECTION: SharedClause = sharedClause('Relocation selection', {
  keywords: 'FROM',
  summary: 'What moves: a list of members, or everything on the ways from some members to others.',
  rules: [],
  forms: [
    clause('FROM', 'Where the ways begin.', 'only what is listed moves'),
    clause('TO', 'Where the ways end. Stands if `FROM` does.'),
    clause('ONTO NODE', 'The cluster node to move to.'),
    clause('FOLLOW PREFERENCES', 'Takes along what placement prefers on the same node.'),
    clause('IGNORE PREFERENCES', 'Moves no more than it has to.'),
    clause(
      'FOR',
      'Overrides the strategy for a member and what must stay with it.',
      'no exceptions',
    ),
  ],
});

export const SCOPE: SharedClause = sharedClause('Scope', {
  keywords: 'ON',
  summary: 'What rights, rules or limits apply to.',
  rules: ['scope'],
  forms: [
    clause('CLUSTER', 'Everything.'),
    clause('PROJECT', 'The domains of a project.'),
    clause('DOMAIN', 'One domain.'),
    clause('POOL', 'The nodes of a pool.'),
    clause('NODE', 'One cluster node.'),
    clause('OPERATION', 'One operation, by its id.'),
    clause('IN DOMAIN', 'One member of the graph, or one resource, of a domain.'),
  ],
});

export const CAPABILITIES: SharedClause = sharedClause('Capabilities', {
  keywords: 'CAPABILITIES',
  summary: 'A list of rights.',
  rules: ['capability'],
  forms: [
    clause('READ', 'Look at models, state and plans.'),
    clause('DESIGN', 'Make plans.'),
    clause('ADMIT', 'Let a plan take effect.'),
    clause('EXECUTE', 'Run statements that change something.'),
    clause('CANCEL', 'Stop operations.'),
    clause('PROMOTE', 'Carry a domain to another.'),
    clause('DRAIN', 'Administer nodes and pools.'),
    clause('POLICY', 'Administer policies, roles and projects, and read the audit.'),
    clause('DESTROY', 'Accept the loss of state.'),
    clause('TAKEOVER', 'Cancel or resolve operations of others.'),
    clause('GRANT', 'Pass on rights one has.'),
    clause('SECRETS', 'Write secrets and read literal ones.'),
  ],
});

export const SETTINGS: SharedClause = sharedClause('Settings', {
  keywords: '',
  summary: 'Quoted keys with values in braces. Which keys there are is fixed; others are refused.',
  rules: ['settings'],
});

export const STATE_LOSS: SharedClause = sharedClause('Accept state loss', {
  keywords: 'ACCEPT STATE LOSS',
  summary:
    'Goes ahead although state that nobody else holds is lost. Stands behind everything else.',
  omitted: 'such a statement is refused',
  rules: [],
});

export const WAIT: SharedClause = sharedClause('Wait', {
  keywords: 'WAIT',
  summary: 'How long to wait for another change of the same things to end. Stands last.',
  omitted: 'such a conflict is refused at once',
  rules: [],
  notes: ['Not inside a transaction, nor inside `PLAN` or `EXPLAIN`.'],
});

/** Every shared clause, in the order of the page that lists them. */
export const SHARED_CLAUSES: readonly SharedClause[] = [
  IF_NOT_EXISTS,
  ACKNOWLEDGEMENT,
  INPUTS,
  COLLECT,
  FILTER,
  WHERE,
  BRANCHING,
  MATERIALIZED_DEPENDENCY,
  FLUSHED_ROUTE,
  ENTRY_ROUTE,
  SET_ROUTE,
  WINDOW_ROUTE,
  WASM_ROUTE,
  CONSTRUCTION,
  SET_CONSTRUCTION,
  INVOKE,
  ROUTE_BRANCH,
  FLUSH,
  MESSAGE_ERROR,
  GENERAL_ERROR,
  GLOBAL_ERROR,
  DECODE_ERROR,
  QUIESCE,
  ACK_WINDOW,
  ACK_TIMEOUT,
  RETRY_POLICY,
  BATCH,
  VALUES,
  CONFIG,
  RESOURCE_VERSION,
  SIGNALING,
  PLACEMENT_POLICY,
  GRAPH_MEMBER,
  RELOCATION_SELECTION,
  OUTPUT_FORMAT,
  ROW_FILTER,
  LIMIT,
  SCOPE,
  CAPABILITIES,
  SETTINGS,
  STATE_LOSS,
  WAIT,
];
