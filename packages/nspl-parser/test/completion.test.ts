import { describe, expect, test } from 'vitest';
import { completion, labels, replaced } from './support/completing.ts';
import { recordedTerminals } from './support/completion-graph.ts';
import { SAMPLED_LABELS, samplesOf } from './support/completion-samples.ts';
import { expressionRefusal } from './support/reading.ts';

describe('NSPL 11: what is offered', () => {
  const emitter = 'CREATE EMITTER e FROM a TO';
  const mqtt = 'CREATE INGESTOR i FROM MQTT c TOPIC t';
  const retry = 'RETRY POLICY BACKOFF 1s MAX 2s';
  const values = "INSERT TO TABLE t VALUES {'a' = 1}";

  test.each<[string, readonly string[]]>([
    ['CREATE REL|', ['RELAY']],
    ['create rel|', ['RELAY']],
    ['CREA|', ['CREATE', 'CREATE SUBSCRIPTION']],
    ['CREATE IF NO|', ['NOT']],
    ['CREATE IF |', ['NOT']],
    ['LIST |', ['DOMAINS']],
    ['USE |', []],
    ['CREATE RELAY r SCHEMA s |', ['BRANCHED BY', 'UNBRANCHED']],
    ['CREATE RELAY r SCHEMA s BRANCHED |', ['BY']],
    ['CREATE JUNCTION j FROM a UNBRANCHED TO b FLUSH |', ['EACH', 'IMMEDIATE']],
    ['CREATE SCHEMA s (a U8 OPTIONAL |', [')', ',', 'SENSITIVE']],
    ['CREATE SCHEMA s (a U8 SENSITIVE |', [')', ',', 'OPTIONAL']],
    ["CREATE ENDPOINT e ON v PATH '/' TYPE HTTP |", [';', 'WAIT']],
    ["CREATE ENDPOINT e ON v PATH '/' TYPE HTTP WITH |", []],
    [`${mqtt} MODE |`, ['NO_ACK']],
    [`${mqtt} SESSION PERSISTENT MODE |`, ['NO_ACK']],
    [`${mqtt} SESSION PERSISTENT QOS 1 MODE |`, ['ACK', 'NO_ACK']],
    ['DROP WIRE |', ['AVRO', 'CBOR', 'JSON']],
    ['CREATE UDF f WITH |', ['ECMASCRIPT_2023', 'ROTO_0_13']],
    [`${emitter} KAFKA c TOPIC t |`, ['MODE']],
    [`${emitter} HTTP c |`, ['METHOD']],
    [
      `${emitter} HTTP c METHOD 'GET' PATH '/' MODE ACK ${retry} |`,
      ['ENCODE USING', 'WITHOUT BODY'],
    ],
    [`${emitter} POSTGRES c ${values} |`, ['MODE', 'ON CONFLICT']],
    [`${emitter} POSTGRES c ${values} ON |`, ['CONFLICT']],
    [`${emitter} CLICKHOUSE c ${values} |`, ['MODE']],
  ])('%s', (marked, offered) => {
    expect(labels(marked)).toEqual(offered);
  });

  test.each<[string, readonly string[]]>([
    ['CREATE WINDOW PROCESSOR w FROM a WIDTH |', ['duration_literal', 'message_count']],
    ['CREATE RELAY |', ['relay_name']],
    ['CREATE BRANCH b SCHEMA s TTL |', ['duration_literal']],
    ['CREATE BRANCH b SCHEMA s TTL 5 |', ['duration_literal']],
    ['CREATE JUNCTION j FROM a WHERE |', ['where_expression']],
    ['CREATE JUNCTION j FROM a WHERE (|', []],
    ['CREATE JUNCTION j FROM a UNBRANCHED TO b SET |', ['set_assignments']],
    ['USE |', []],
  ])('slots at %s', (marked, placeholders) => {
    expect(completion(marked).placeholders).toEqual(placeholders);
  });

  test('an item says what it is', () => {
    expect(completion('CREATE RELAY r SCHEMA s B|').items).toEqual([
      { label: 'BRANCHED BY', kind: 'phrase', insertText: 'BRANCHED BY' },
    ]);
    expect(completion('CREATE RELAY r SCHEMA s U|').items).toEqual([
      { label: 'UNBRANCHED', kind: 'keyword', insertText: 'UNBRANCHED' },
    ]);
    expect(completion('STOP |').items).toContainEqual({
      label: ';',
      kind: 'punctuation',
      insertText: ';',
    });
  });

  test('names that are spelled like keywords are names', () => {
    expect(labels('CREATE RELAY schema |')).toEqual(['SCHEMA']);
    expect(labels('CREATE RELAY to SCHEMA unbranched UNB|')).toEqual(['UNBRANCHED']);
    expect(labels('CREATE JUNCTION j FROM a, to UNB|')).toEqual(['UNBRANCHED']);
  });
});

describe('NSPL 11 step 4: what may follow a whole statement', () => {
  /** What every statement that changes something may end with, NSPL 14.2. */
  const SUFFIXES = ['WAIT', 'ACCEPT STATE LOSS'];

  test.each<[string, readonly string[]]>([
    ['START |', [';', 'AT']],
    ['START AT NOW |', [';', 'TIME RATE']],
    ['START AT NOW TIME RATE 2.0 |', [';']],
    ['STOP |', [';']],
    // The grammar may end here as well, so that `;` stands beside the clause.
    ['DESCRIBE RESOURCE r |', [';', 'VERSION']],
    ['CREATE DOMAIN d |', [';', 'PLACEMENT']],
    ['CREATE UNPACED DOMAIN d |', [';', 'PLACEMENT']],
    ['CREATE PACED DOMAIN d WITH PERIOD 1s SKEW 0s |', [';', 'PLACEMENT']],
    ['CREATE PLACEMENT p FROM a TO b NEUTRAL |', [';', 'RANK']],
    ['RELOCATE EMITTER e ONTO NODE n FOLLOW PREFERENCES |', [';', 'FOR']],
    ['DESCRIBE RELOCATION EMITTER e ONTO NODE n IGNORE PREFERENCES |', [';', 'FOR']],
    ['REBIND RESOURCE r TO VERSION 2 FOR CLIENT c |', [',', ';']],
    ['REBIND RESOURCE r TO VERSION 2 |', [';', 'FOR']],
    ['DESCRIBE TRANSACTION |', [';', 'FORMAT', 'OPERATION']],
    ["DESCRIBE TRANSACTION 't' |", [';', 'FORMAT', 'OPERATION']],
    ["DESCRIBE TRANSACTION 't' OPERATION 1 |", [';', 'FORMAT']],
    ["DESCRIBE TRANSACTION 't' FORMAT JSON |", [';']],
    ['DESCRIBE WASM PROCESSOR w |', [';', 'FORMAT']],
    ["DESCRIBE BACKUP '/tmp/b' |", [';', 'FORMAT']],
    [
      "BACKUP CLUSTER TO '/tmp/b' |",
      [';', 'TIMEOUT', 'WITHOUT PAUSE', 'WITHOUT RESOURCES', 'WITHOUT STATE'],
    ],
    [
      "BACKUP DOMAIN d TO '/tmp/b' WITHOUT RESOURCES |",
      [';', 'TIMEOUT', 'WITHOUT PAUSE', 'WITHOUT STATE'],
    ],
    ["BACKUP DOMAIN d TO '/tmp/b' WITHOUT STATE |", [';']],
    [
      "RESTORE CLUSTER FROM '/tmp/b' |",
      [
        ...[';', 'DRY RUN', 'ON EXISTING USER', 'RESUME', 'WITHOUT SOURCE OFFSETS'],
        'WITHOUT STATE',
      ],
    ],
    [
      "RESTORE DOMAIN d FROM '/tmp/b' RESUME |",
      [';', 'DRY RUN', 'WITHOUT SOURCE OFFSETS', 'WITHOUT STATE'],
    ],
    ["RESTORE DOMAIN d FROM '/tmp/b' DRY RUN WITHOUT STATE |", [';']],
    ['COMMIT |', [';', 'EXPECT']],
  ])('%s', (marked, tail) => {
    expect(labels(marked).filter((label) => !SUFFIXES.includes(label))).toEqual(tail);
  });

  test('clauses that the grammar takes are offered beyond that', () => {
    const junction =
      'CREATE JUNCTION j FROM a UNBRANCHED TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
    expect(labels('CREATE RELAY r SCHEMA s UNBRANCHED |')).toEqual([
      ';',
      'CAPACITY',
      'WAIT',
      'WITH',
    ]);
    expect(labels(`${junction} |`)).toEqual([';', 'TO', 'WAIT']);
  });

  test.each(['START|', 'STOP ;|', 'STOP;|', "DESCRIBE TRANSACTION 't'|", 'STOP /|'])(
    'only behind a space and not behind the end: %s',
    (marked) => {
      expect(labels(marked).filter((label) => label !== 'START')).toEqual([]);
    },
  );

  test('the slots that may follow are there as well', () => {
    expect(completion('DESCRIBE TRANSACTION |').placeholders).toEqual(['transaction_id']);
    expect(completion("DESCRIBE TRANSACTION 't' |").placeholders).toEqual([]);
  });
});

test('NSPL 3.2: a comma of ALTER may continue a list or begin an operation', () => {
  const keywords = (marked: string) =>
    completion(marked).items.flatMap(({ kind, label }) => (kind === 'keyword' ? [label] : []));
  const heads = ['ADD', 'ALTER', 'DROP', 'REPLACE', 'SET'];
  expect(keywords('ALTER REORDERER r SET BY a, |')).toEqual(heads);
  expect(keywords('ALTER REORDERER r SET BY lower(a, |')).toEqual([]);
  expect(keywords('CREATE REORDERER r FROM a BY b, |')).toEqual([]);
});

describe('NSPL 11 step 1: only the statement at the cursor', () => {
  test.each<[string, readonly string[]]>([
    ['STOP; LI|', ['LIST']],
    ['STOP;LI|', ['LIST']],
    ['LI| ; STOP', ['LIST']],
    ['STOP; LIST | ; STOP', ['DOMAINS']],
    ['CREATE RELAY @ ; LIST |', ['DOMAINS']],
    ["CREATE USER u WITH PASSWORD 'open\n; LIST |", ['DOMAINS']],
    ["CREATE USER u WITH PASSWORD 'a;b' |", [';', 'WAIT']],
    ['CREATE USER u WITH PASSWORD $$a;\nb$$ |', [';', 'WAIT']],
    ['LIST // ;\n|', ['DOMAINS']],
    ['LIST // comment | here', []],
    ['LIST //|', []],
    ['// a comment\n// another\nLIST |', ['DOMAINS']],
    ["CREATE USER u WITH PASSWORD 'LIST |", []],
    ["CREATE USER u WITH PASSWORD 'LIST | '", []],
    ['CREATE RELAY `r|', []],
    ['CREATE RELAY $a|', []],
    ['LIST x |', []],
    ['CREATE RELAY message |', []],
  ])('%s', (marked, offered) => {
    expect(labels(marked)).toEqual(offered);
  });

  test('BC-01: what is commented out has no effect, and a string may look like a comment', () => {
    const script = [
      "CREATE USER u WITH PASSWORD '// not; a comment';",
      '// CREATE EMITTER e FROM a TO HTTP unknown;',
      'LIST |;',
    ];
    expect(labels(script.join('\n'))).toEqual(['DOMAINS']);
    expect(labels("CREATE USER u WITH PASSWORD '// not; a comment' |")).toEqual([';', 'WAIT']);
  });

  test.each<[string, string]>([
    ['CREATE REL|', 'REL'],
    ['CREATE RE|LAY r', 'RELAY'],
    ['CREATE |RELAY r', 'RELAY'],
    ['CREATE | RELAY r', ''],
    ['STOP; 1é💧LI|ST', 'LIST'],
    ['|', ''],
  ])('CL-83: the whole word under the cursor is replaced: %s', (marked, word) => {
    expect(replaced(marked)).toBe(word);
  });

  test('the part of the word before the cursor filters', () => {
    expect(labels('CREATE RE|SOURCE')).toEqual(labels('CREATE RE|'));
    expect(labels('CREATE RE|SOURCE')).toContain('RELAY');
  });
});

/** Labels of slots that messages and completion name, beside those for new names of a kind. */
const LABELS =
  'ref:schema ref:wire_json_schema ref:wire_cbor_schema ref:wire_avro_schema ref:codec ref:relay ' +
  'ref:resource ref:junction ref:deduplicator ref:correlator ref:reorderer ref:window_processor ' +
  'ref:client ref:vhost ref:branch ref:endpoint ref:signaling_protocol ref:generator ' +
  'ref:inferencer ref:wasm_processor ref:udf ref:ingestor ref:reingestor ref:lookup ref:emitter ' +
  'ref:placement ref:runtime_node ref:domain ref:session_subscription ref:schema_field ref:pool ' +
  'ref:policy ref:project ref:role ref:delegation ref:user ref:node ref:operation ref:plan ' +
  'ref:secret topic_name subject_name queue_name queue_group channel_name table_name ' +
  'collection_name consumer_group subscription_name mqtt_topic_filter column_name ' +
  'iceberg_location string_literal number_literal duration_literal byte_size_literal ' +
  'instance_count max_in_flight message_count relay_capacity min_pool_size max_pool_size ' +
  'array_length config_key config_value mqtt_qos hostname hostname_label node_id timestamp ' +
  'time_rate local_path transaction_id operation_number resource_version ' +
  'completed_resource_version jaq_program jaq_matcher jaq_capture protobuf_message ' +
  'otel_metric_name otel_metric_unit otel_metric_description otel_scope_name otel_scope_version ' +
  'where_expression set_assignments inherit_targets invocations default_assignments ' +
  'deduplicate_on reorder_by correlate_expression fifo_group_expression string_expression ' +
  'value_expression alter_operation_separator';
/** Kinds whose new names have a label of their own. */
const NAMED_KINDS =
  'relay schema user udf session_subscription domain codec client vhost endpoint ' +
  'signaling_protocol branch resource ingestor reingestor generator junction deduplicator ' +
  'correlator reorderer window_processor inferencer wasm_processor emitter placement lookup pool ' +
  'policy project role delegation wire_json_schema wire_cbor_schema wire_avro_schema';

describe('NSPL 10, 14.4: labels of slots', () => {
  const recorded = new Set(
    [...recordedTerminals()]
      .map((terminal) => terminal.replace(/ \(\w+\)$/u, ''))
      .filter((label) => /^[a-z]/u.test(label)),
  );

  test('the grammar has them all', () => {
    const names = NAMED_KINDS.split(' ').map((kind) => `${kind}_name`);
    const missing = [...LABELS.split(' '), ...names].filter((label) => !recorded.has(label));
    expect(missing).toEqual([]);
  });

  test('those that only expressions have', () => {
    expect(expressionRefusal('input.')).toBe('expected identifier, found end of input');
    expect(expressionRefusal('JSON_EXISTS(a, ')).toBe('expected json_path, found end of input');
  });

  test('every slot of the grammar that is no reference has samples, and no other', () => {
    const slots = [...recorded].filter((label) => !label.startsWith('ref:'));
    expect(slots.filter((label) => samplesOf(label) === undefined)).toEqual([]);
    expect(SAMPLED_LABELS.filter((label) => !recorded.has(label))).toEqual([]);
    expect(samplesOf('no_such_slot')).toBeUndefined();
  });
});
