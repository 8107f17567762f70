import type {
  AvroWireType,
  CodecModel,
  CodecSource,
  CsvCodecSource,
  DataType,
  Model,
  SchemaField,
} from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { change, column, emitter, ingestor, messagesOf, planWith } from '../support/models.js';

const relation = (reason: string) => [
  `model 'c' in domain 'taxi' has incompatible schema relationship: ${reason}`,
];
const invalid = (reason: string) => [`model 'c' in domain 'taxi' is invalid: ${reason}`];

const optional = (name: string, type: DataType): SchemaField =>
  column(name, type, { optional: true });

function codecOf(
  source: CodecSource,
  fields: readonly SchemaField[],
  encode: readonly string[] = [],
): readonly Model[] {
  const codec: CodecModel = {
    ...{ kind: 'codec', name: 'c', source, schema: 's' },
    encode: encode.map((field) => ({ field, as: 'RFC3339' })),
  };
  return [{ kind: 'schema', name: 's', fields }, codec];
}

/** What the planner makes of the codec `c`. */
function planOf(models: readonly Model[]): unknown {
  const outcome = planWith(...models);
  if (outcome.kind !== 'accepted') return messagesOf(outcome);
  return outcome.plan.codecs.find(({ name }) => name === 'c');
}

const VEC: DataType = { kind: 'vec', element: 'U16' };
const ARRAY: DataType = { kind: 'array', element: 'F32', length: 2 };

describe('codecs of Avro wire schemas (CN-300, CN-301)', () => {
  const wire = (type: AvroWireType, isOptional = false): Model => ({
    ...{ kind: 'wire_avro_schema', name: 'w', mode: 'STRICT' },
    fields: [{ name: 'f', type, optional: isOptional }],
  });
  const source: CodecSource = { kind: 'wire', format: 'AVRO', wireSchema: 'w' };

  test.each<[DataType, AvroWireType]>([
    ['I32', 'INT'],
    ['I64', 'LONG'],
    ['F32', 'FLOAT'],
    ['F64', 'DOUBLE'],
    ['BOOL', 'BOOLEAN'],
    ['STRING', 'STRING'],
    ['BYTES', 'BYTES'],
    [VEC, 'ARRAY'],
    [ARRAY, 'ARRAY'],
  ])('%j is %s', (type, wireType) => {
    expect(planOf([wire(wireType), ...codecOf(source, [column('f', type)])])).toEqual({
      name: 'c',
      format: 'AVRO',
      schema: 's',
      fieldOrder: ['f'],
    });
  });

  test.each<[DataType, AvroWireType, string]>([
    ['U8', 'INT', 'U8'],
    ['I16', 'INT', 'I16'],
    ['U32', 'LONG', 'U32'],
    ['U64', 'LONG', 'U64'],
    ['I32', 'LONG', 'I32'],
    ['I64', 'INT', 'I64'],
    ['F32', 'DOUBLE', 'F32'],
    ['BYTES', 'FIXED', 'BYTES'],
    ['STRING', 'ENUM', 'STRING'],
    ['STRING', 'NULL', 'STRING'],
    ['DATETIME', 'STRING', 'DATETIME'],
    [VEC, 'MAP', 'VEC<U16>'],
    [ARRAY, 'RECORD', 'ARRAY<F32, 2>'],
  ])('%j is not %s', (type, wireType, name) => {
    expect(planOf([wire(wireType), ...codecOf(source, [column('f', type)])])).toEqual(
      relation(`avro field 'f' type mismatch: wire ${wireType}, internal ${name}`),
    );
  });

  test('hold instants as text', () => {
    const models = codecOf(source, [column('f', 'DATETIME')], ['f']);
    expect(planOf([wire('STRING'), ...models])).toMatchObject({ format: 'AVRO' });
  });

  test('agree on what is optional', () => {
    const models = codecOf(source, [column('f', 'I32')]);
    expect(planOf([wire('INT', true), ...models])).toEqual(
      relation("avro field 'f' optionality mismatch: wire true, internal false"),
    );
  });

  test('keep the order of the wire schema', () => {
    const fields = ['b', 'a'].map((name) => ({ name, type: 'INT', optional: false }) as const);
    const reversed: Model = { kind: 'wire_avro_schema', name: 'w', mode: 'LOOSE', fields };
    const models = codecOf(source, [column('a', 'I32'), column('b', 'I32')]);
    expect(planOf([reversed, ...models])).toMatchObject({ fieldOrder: ['b', 'a'] });
  });
});

describe('codecs of CBOR wire schemas (CN-300, CN-301)', () => {
  const wire = (name: string): Model => ({
    ...{ kind: 'wire_cbor_schema', name: 'w', mode: 'LOOSE' },
    fields: [{ name, type: 'INTEGER', optional: false }],
  });
  const source: CodecSource = { kind: 'wire', format: 'CBOR', wireSchema: 'w' };

  test('are those of JSON under another name', () => {
    expect(planOf([wire('f'), ...codecOf(source, [column('f', 'U64')])])).toEqual({
      name: 'c',
      format: 'CBOR',
      schema: 's',
      strict: false,
    });
    expect(planOf([wire('f'), ...codecOf(source, [column('f', 'F64')])])).toEqual(
      relation("cbor field 'f' type mismatch: wire INTEGER, internal F64"),
    );
    expect(planOf([wire('g'), ...codecOf(source, [column('f', 'U64')])])).toEqual(
      relation("cbor wire schema is missing field 'f'"),
    );
  });

  test('declare a field', () => {
    expect(planOf([{ kind: 'wire_cbor_schema', name: 'c', mode: 'LOOSE', fields: [] }])).toEqual(
      invalid('CBOR wire schema must declare at least one field'),
    );
  });
});

describe('CSV codecs (CN-383)', () => {
  const source: CsvCodecSource = {
    kind: 'csv',
    header: 'NAMES',
    delimiter: ';',
    quote: null,
    nullToken: '-',
    mode: 'LOOSE',
  };

  test('carry every scalar', () => {
    const fields = [column('a', 'U64'), optional('b', 'BYTES'), column('at', 'DATETIME')];
    expect(planOf(codecOf(source, fields, ['at']))).toEqual({
      ...{ name: 'c', format: 'CSV', schema: 's', header: 'NAMES', delimiter: ';' },
      ...{ quote: null, nullToken: '-', strict: false },
    });
  });

  test.each<[DataType, string]>([
    [VEC, 'VEC<U16>'],
    [ARRAY, 'ARRAY<F32, 2>'],
    ['DATETIME', 'DATETIME without ENCODE f AS RFC3339'],
  ])('cannot carry %j', (type, words) => {
    expect(planOf(codecOf(source, [column('f', type)]))).toEqual(
      relation(`CSV codec cannot carry field 'f' of type ${words}`),
    );
  });

  test.each([[{ nullToken: 'a;' }], [{ nullToken: '\n' }], [{ nullToken: '"', quote: '"' }]])(
    'have a NULL token that can stand unquoted: %j',
    (parts) => {
      expect(planOf(codecOf({ ...source, ...parts }, [column('f', 'U8')]))).toEqual(
        invalid('CSV NULL token must hold no delimiter, quote or line end'),
      );
    },
  );
});

describe('SYSLOG codecs (CN-310)', () => {
  const source: CodecSource = { kind: 'syslog' };

  test('take any subset of the fields in their shapes', () => {
    const fields = [column('message', 'STRING'), optional('timestamp', 'DATETIME')];
    expect(planOf(codecOf(source, fields))).toEqual({ name: 'c', format: 'SYSLOG', schema: 's' });
  });

  test.each<[SchemaField, string]>([
    [
      column('host', 'STRING'),
      "syslog message has no field 'host'; it has facility, severity, timestamp, hostname, " +
        'app_name, proc_id, msg_id, structured_data, message',
    ],
    [column('facility', 'U16'), "syslog field 'facility' must be U8, found U16"],
    [optional('message', 'STRING'), "syslog field 'message' must be STRING, found STRING OPTIONAL"],
    [column('hostname', 'STRING'), "syslog field 'hostname' must be STRING OPTIONAL, found STRING"],
  ])('refuse %j', (field, reason) => {
    expect(planOf(codecOf(source, [field]))).toEqual(relation(reason));
  });

  test('take no ENCODE', () => {
    expect(planOf(codecOf(source, [optional('timestamp', 'DATETIME')], ['timestamp']))).toEqual(
      invalid('SYSLOG codec takes no ENCODE rules'),
    );
  });
});

describe('PROTOBUF codecs (CN-325)', () => {
  const transformations = { onIngestion: '.', onEmitting: null, onEmittingBatch: null };
  const source: CodecSource = {
    ...{ kind: 'protobuf', message: 'shop.Order', batchMessage: null, transformations },
    descriptors: { resource: 'protos', version: '3' },
    config: [],
  };
  const withConfig = (...config: readonly (readonly [key: string, value: string])[]) =>
    codecOf({ ...source, config: config.map(([key, value]) => ({ key, value })) }, [
      column('id', 'I64'),
    ]);

  test('take lists of paths below the root of their resource', () => {
    const models = withConfig(
      ['file', './a.proto, x//b.proto'],
      ['files', 'x/../c.proto'],
      ['include', 'x'],
      ['includes', '., y/z/'],
    );
    expect(planOf(models)).toEqual({
      ...{ name: 'c', format: 'PROTOBUF', schema: 's', transformations },
      ...{ message: 'shop.Order', batchMessage: null },
      descriptors: {
        resource: { name: 'protos', version: 3 },
        roots: ['a.proto', 'x/b.proto', 'c.proto'],
        includes: ['x', '', 'y/z'],
        files: [],
      },
    });
  });

  test('take no other key', () => {
    expect(planOf(withConfig(['path', 'x']))).toEqual(
      invalid(
        "unsupported protobuf config key 'path'; expected 'file', 'files', 'include', or 'includes'",
      ),
    );
  });

  test.each(['../a.proto', 'x/../../a.proto', '/etc/passwd', 'x\\y', 'a\0'])(
    'do not leave their resource by %j',
    (path) => {
      expect(planOf(withConfig(['files', `b.proto, ${path}`]))).toEqual(
        invalid(`protobuf config 'files' path '${path}' leaves the resource`),
      );
    },
  );

  test('have a version by its number', () => {
    const descriptors = { resource: 'protos', version: 'LATEST' };
    expect(planOf(codecOf({ ...source, descriptors }, [column('id', 'I64')]))).toEqual(
      invalid("resource 'protos' has no resolved version"),
    );
  });
});

describe('codecs with programs (CN-320)', () => {
  const source: CodecSource = {
    kind: 'jaq',
    format: 'YAML',
    transformations: { onIngestion: '.', onEmitting: null, onEmittingBatch: null },
  };

  test('keep their programs, which are compiled where they run', () => {
    expect(planOf(codecOf(source, [column('f', VEC)]))).toEqual({
      ...{ name: 'c', format: 'JAQ', schema: 's', payload: 'YAML' },
      transformations: source.transformations,
    });
  });

  test.each<[string, Model, string]>([
    ['written', change(emitter, { encodeUsing: 'c' }), 'has no ON EMITTING transformation'],
    ['read', change(ingestor, { decodeUsing: 'd' }), 'has no ON INGESTION transformation'],
  ])('are not %s without a program for it', (_, model, reason) => {
    const transformations = { onIngestion: null, onEmitting: '.', onEmittingBatch: null };
    const [, writer] = codecOf({ ...source, transformations }, []);
    const models = [...codecOf(source, [column('f', 'U8')]), { ...writer, name: 'd' } as Model];
    expect(messagesOf(planWith(...models, model)).join()).toContain(reason);
  });

  test('syslog is not written without what every message has (CN-312)', () => {
    const models = codecOf({ kind: 'syslog' }, [column('severity', 'U8')]);
    const messages = messagesOf(planWith(...models, change(emitter, { encodeUsing: 'c' })));
    expect(messages.join()).toContain(
      "codec 'c' cannot encode syslog messages without fields 'facility', 'message'",
    );
  });
});
