import { CONFIG, RESOURCE_VERSION } from './connector-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Schemas, codecs and branches', title, draft);

/** The shape of records inside and outside, and how streams are split by key. */
export const SCHEMA_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE SCHEMA', {
    summary: 'Declares the fields of the records that relays carry, with their types.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('OPTIONAL', 'The field may be null.', 'the field always has a value'),
      clause(
        'SENSITIVE',
        'The value is masked where people see it and leaves only where a statement says so.',
        'the value is treated like any other',
      ),
    ],
    notes: [
      'At least one field; a comma may follow the last.',
      'Types: `U8` to `U64`, `I8` to `I64`, `F32`, `F64`, `BOOL`, `STRING`, `BYTES`, `DATETIME`, ' +
        '`ARRAY<type, length, …>` and `VEC<type>`. They have no other spellings here.',
      'Keywords are fine as field names.',
    ],
    examples: [
      'CREATE SCHEMA reading (sensor STRING, celsius F64);',
      `CREATE IF NOT EXISTS SCHEMA trip (
  id U64,
  city STRING,
  fare F64,
  started DATETIME,
  driver STRING OPTIONAL SENSITIVE,
  features ARRAY<F32, 2, 3>,
  stops VEC<STRING> OPTIONAL
);`,
    ],
    seeAlso: ['create-relay', 'create-codec', 'alter-schema'],
  }),
  entry('CREATE WIRE SCHEMA', {
    heads: ['CREATE WIRE'],
    summary:
      'Declares the fields of payloads in JSON, CBOR or Avro as the outside world writes them.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('WIRE JSON SCHEMA | WIRE CBOR SCHEMA | WIRE AVRO SCHEMA', 'The encoding.'),
      clause(
        'MODE',
        '`STRICT` refuses payloads with fields that are not declared; `LOOSE` ignores those fields.',
      ),
      clause('OPTIONAL', 'The field may be missing or null.', 'the field has to be there'),
    ],
    notes: [
      'JSON and CBOR types: `STRING`, `NUMBER`, `INTEGER`, `OBJECT`, `ARRAY`, `BOOLEAN`, `NULL`, `BYTES`.',
      'Avro types: `NULL`, `BOOLEAN`, `INT`, `LONG`, `FLOAT`, `DOUBLE`, `BYTES`, `STRING`, `RECORD`, ' +
        '`ENUM`, `ARRAY`, `MAP`, `FIXED`.',
      'A codec needs the fields of its wire schema and of its schema to agree in name and optionality.',
    ],
    examples: [
      'CREATE WIRE JSON SCHEMA reading_json MODE STRICT (sensor STRING, celsius NUMBER);',
      `CREATE WIRE AVRO SCHEMA trip_avro MODE LOOSE (
  id LONG,
  city STRING,
  fare DOUBLE,
  driver STRING OPTIONAL
);`,
    ],
    seeAlso: ['create-codec', 'create-schema', 'alter-wire-schema'],
  }),
  entry('CREATE CODEC', {
    summary:
      'Tells how payloads become records of a schema and back: over a wire schema, by jq programs over a ' +
      'general format, or by a fixed format.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('FROM WIRE', 'Payloads as a wire schema declares them.'),
      clause(
        'FROM JSON | FROM YAML | FROM TOML | FROM XML | FROM CBOR',
        'Values of the format, which programs turn into records.',
      ),
      clause(
        'FROM PROTOBUF',
        'Messages of compiled descriptors in a resource, turned by programs.',
      ),
      clause('FROM SYSLOG', 'RFC 5424 messages, with fixed fields.'),
      clause('FROM CSV', 'Lines of separated values.'),
      clause('TO SCHEMA', 'The schema of the records.'),
      clause('USING RESOURCE', 'The resource with the descriptors.'),
      uses(RESOURCE_VERSION),
      { ...uses(CONFIG) },
      clause('MESSAGE', 'The message type of a payload.'),
      clause(
        'BATCH MESSAGE',
        'The message type of a payload of several records.',
        'no such payloads',
      ),
      clause('WITH JAQ TRANSFORMATIONS', 'Introduces the programs; at least one direction.'),
      clause('ON INGESTION', 'Turns one value into any number of records.', 'cannot decode'),
      clause('ON EMITTING', 'Turns one record into exactly one value.', 'cannot encode'),
      clause(
        'ON EMITTING BATCH',
        'Turns an array of what `ON EMITTING` gave into one value.',
        'a batch is the array itself',
      ),
      clause(
        'ENCODE',
        'Writes and reads DATETIME fields as RFC 3339 text.',
        'no field is converted',
      ),
      clause(
        'HEADER',
        'First line of CSV: `NAMES` takes the columns by name, `SKIP` ignores it, `NONE` has none.',
        '`NONE`',
      ),
      clause('DELIMITER', 'One ASCII character, or `TAB`.', "`','`"),
      clause('QUOTE', 'One ASCII character, or `NONE`.', "`'\"'`"),
      clause('NULL', 'Text that stands for null.', 'no text does'),
      clause('MODE', '`STRICT` or `LOOSE` about columns that are not declared.', '`STRICT`'),
    ],
    examples: [
      'CREATE CODEC reading_codec FROM WIRE JSON SCHEMA reading_json TO SCHEMA reading;',
      `CREATE CODEC trip_codec
  FROM WIRE JSON SCHEMA trip_json
  TO SCHEMA trip
  ENCODE started AS RFC3339;`,
      `CREATE CODEC orders_codec
  FROM JSON
  TO SCHEMA order_line
  WITH JAQ TRANSFORMATIONS ON INGESTION '.lines[]' ON EMITTING '.' ON EMITTING BATCH '{lines: .}';`,
      `CREATE CODEC fleet_codec
  FROM PROTOBUF USING RESOURCE fleet_descriptors VERSION 3
    CONFIG {'files' = 'fleet.proto'}
    MESSAGE 'fleet.v1.Position' BATCH MESSAGE 'fleet.v1.Positions'
  TO SCHEMA position
  WITH JAQ TRANSFORMATIONS ON INGESTION '.';`,
      'CREATE CODEC syslog_codec FROM SYSLOG TO SCHEMA log_line;',
      `CREATE CODEC sheet_codec
  FROM CSV HEADER NAMES DELIMITER TAB QUOTE NONE NULL 'NA' MODE LOOSE
  TO SCHEMA reading;`,
    ],
    seeAlso: ['create-wire-schema', 'create-schema', 'create-ingestor', 'create-emitter'],
  }),
  entry('CREATE BRANCH', {
    summary:
      'Declares a way to split streams: every distinct key, a record of the schema, is a branch with ' +
      'state and order of its own.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('SCHEMA', 'The fields of the key; none of them BYTES.'),
      clause('TTL', 'A branch without input for this long, in domain time, is given up.'),
      clause(
        'MAX INSTANCES',
        'Most branches at a time; `EVICT LRU` behind it gives up the one without input for longest.',
        'any number',
      ),
    ],
    examples: [
      'CREATE BRANCH by_city SCHEMA city_key TTL 1h;',
      'CREATE BRANCH by_city SCHEMA city_key TTL 1h30m MAX INSTANCES 10000 EVICT LRU;',
    ],
    seeAlso: ['create-relay', 'create-ingestor', 'create-reingestor'],
  }),
];
