import {
  BUILTIN_FUNCTIONS,
  type Expression,
  findFunction,
  timeZoneNames,
  WINDOW_AGGREGATES,
} from '@nervix/model';
import { describe, expect, test } from 'vitest';
import {
  INGESTOR_FILTER,
  MATERIALIZED_DEFAULT,
  WINDOW_ROUTE_WHERE,
} from '../../src/expression/scope-policy.js';
import {
  binary,
  call,
  caseOf,
  field,
  float,
  int,
  jsonExists,
  jsonValue,
  list,
  nil,
  text,
  udf,
} from '../support/expressions.js';
import { faultsOf, lacksOf, scopeOf, typeOf, typing } from '../support/typing.js';

const table = (rows: readonly [string, Expression, string][]) =>
  test.each(rows)('%s', (_, expression, expected) => expect(typeOf(expression)).toBe(expected));

describe('TYPE 6 reasons', () =>
  table([
    [
      'types that differ',
      call('coalesce', int(1), text('a')),
      "function 'coalesce' requires matching argument types, found Int64 and Utf8",
    ],
    ['coalesce()', call('coalesce'), "unknown function 'coalesce' with arity 0"],
    [
      'nullif of lists',
      call('nullif', field('vec'), field('vec')),
      "function 'nullif' requires scalar input, found List(Int64)",
    ],
    [
      'clamp of booleans',
      call('clamp', field('flag'), field('flag'), field('flag')),
      "function 'clamp' requires numeric, Utf8 or Timestamp input, found Boolean",
    ],
    [
      'TX-48 arity of one signature',
      call('clamp', int(1)),
      "function 'clamp' expects exactly 3 argument(s), found 1",
    ],
    [
      'TX-48 arity of now',
      call('now', int(1)),
      "function 'now' expects exactly 0 argument(s), found 1",
    ],
    ['NULL argument', call('is_null', nil), 'NULL requires a declared optional assignment target'],
    ['trim of a number', call('trim', int(1)), "function 'trim' requires Utf8 input, found Int64"],
    [
      'an alias reports the canonical name',
      call('BTRIM', int(1)),
      "function 'trim' requires Utf8 input, found Int64",
    ],
    [
      'a float count',
      call('left', text('a'), float(1)),
      "function 'left' requires integer input, found Float64",
    ],
    [
      'arity of several signatures',
      call('substr', text('a'), int(1), int(2), int(3)),
      "unknown function 'substr' with arity 4",
    ],
    ['sqrt of text', call('sqrt', text('a')), "function 'sqrt' requires numeric input, found Utf8"],
    [
      'is_nan of an integer',
      call('is_nan', int(1)),
      "function 'is_nan' requires floating-point input, found Int64",
    ],
    ['unknown', call('frobnicate', int(1)), "unknown function 'frobnicate' with arity 1"],
    [
      'TYPE 9 aggregate outside windows',
      call('avg', int(1)),
      "unknown function 'avg' with arity 1",
    ],
    [
      'CN-206 write_header',
      call('write_header', text('a'), text('b')),
      'write_header must be a top-level call in an INVOKE clause',
    ],
    [
      'TYPE 6.5 read_header elsewhere',
      call('read_header', text('a')),
      "function 'read_header' is only available to ingestors whose connector supports headers",
    ],
    [
      'a list where a text is wanted',
      call('count', field('text')),
      "function 'count' requires list input, found Utf8",
    ],
    [
      'a list of the wrong elements',
      call('sum', field('texts')),
      "function 'sum' requires list of numeric input, found List(Utf8)",
    ],
  ]));

describe('TYPE 6.2, 6.7 functions of texts and lists', () =>
  table([
    ['concat of texts', call('concat', field('opt_text'), text('z')), 'STRING?'],
    ['concat of one', call('concat', text('z')), 'STRING'],
    ['concat of ARRAYs', call('concat', field('pair'), field('pair')), 'ARRAY<F32, 4>'],
    ['concat of a VEC', call('concat', field('pair'), field('opt_floats')), 'VEC<F32>?'],
    [
      'concat of a text and a list',
      call('concat', text('a'), field('texts')),
      "function 'concat' requires Utf8 input, found List(Utf8)",
    ],
    [
      'concat of two element types',
      call('concat', field('vec'), field('floats')),
      "function 'concat' requires matching argument types, found List(Int64) and List(Float32)",
    ],
    ['contains of texts', call('contains', text('a'), text('b')), 'BOOL'],
    ['contains of a list', call('contains', field('vec'), field('opt_i64')), 'BOOL?'],
    [
      'contains of another element',
      call('contains', field('vec'), text('a')),
      "function 'contains' requires matching argument types, found List(Int64) and Utf8",
    ],
    ['contains_any', call('contains_any', text('a'), field('texts')), 'BOOL'],
    [
      'contains_any of numbers',
      call('contains_any', text('a'), field('vec')),
      "function 'contains_any' requires List(Utf8) input, found List(Int64)",
    ],
    ['join', call('join', list(text('a')), field('opt_text')), 'STRING?'],
    ['array', call('array', int(1), field('opt_i64')), 'ARRAY<I64, 2>?'],
    ['array of lists', call('array', field('pair')), 'ARRAY<F32, 1, 2>'],
    ['array()', call('array'), "unknown function 'array' with arity 0"],
    [
      'array of two types',
      call('array', int(1), text('a')),
      "function 'array' requires matching argument types, found Int64 and Utf8",
    ],
    ['vec()', call('vec'), 'VEC'],
    [
      'vec() inside',
      call('count', call('VEC')),
      'vec() without values may only be the whole value of a VEC field',
    ],
    [
      'vec() as a result',
      caseOf([[field('flag'), call('vec')]], field('vec')),
      'vec() without values may only be the whole value of a VEC field',
    ],
    ['max outside windows', call('max', field('vec')), 'I64?'],
  ]));

describe('TYPE 6.6 constants', () =>
  table([
    ['date_bin', call('date_bin', text('Hour'), int(2), field('at'), field('opt_at')), 'DATETIME?'],
    [
      'a unit of each row',
      call('date_trunc', field('text'), field('at')),
      "function 'date_trunc' argument 1 must be a string literal",
    ],
    [
      'no unit',
      call('date_add', text('fortnight'), int(1), field('at')),
      "function 'date_add' does not accept unit 'fortnight'; expected one of nanosecond, " +
        'microsecond, millisecond, second, minute, hour, day, week, month, quarter, year',
    ],
    [
      'no fixed unit',
      call('to_unix', text('month'), field('at')),
      "function 'to_unix' does not accept unit 'month'; expected one of nanosecond, " +
        'microsecond, millisecond, second, minute, hour, day, week',
    ],
    [
      'no width',
      call('date_bin', text('hour'), int(0), field('at'), field('at')),
      "function 'date_bin' argument 2 must be a positive integer literal",
    ],
    [
      'no zone',
      call('date_part', text('hour'), field('at'), text('Mars/Olympus')),
      "function 'date_part' does not accept time zone 'Mars/Olympus'; expected an IANA time zone " +
        "name, UTC, or a UTC offset such as '+05:30'",
    ],
    [
      'an unknown directive',
      call('format_datetime', text('é%q'), field('at')),
      "function 'format_datetime' does not accept format 'é%q': unknown directive '%q' at byte 2",
    ],
    [
      'a cut directive',
      call('format_datetime', text('%:'), field('at')),
      "function 'format_datetime' does not accept format '%:': incomplete directive at byte 0",
    ],
    [
      'a directive that is only written',
      call('parse_datetime', text('%F %Z'), field('text'), text('UTC')),
      "function 'parse_datetime' does not accept format '%F %Z': directive '%Z' is only written",
    ],
    [
      'no date',
      call('parse_datetime', text('%T'), field('text'), text('UTC')),
      "function 'parse_datetime' does not accept format '%T': it reads no date",
    ],
    [
      'a zone is missing',
      call('parse_datetime', text('%F'), field('text')),
      "function 'parse_datetime' format '%F' reads no offset and requires a time zone",
    ],
    [
      'a zone is too much',
      call('parse_datetime', text('%s'), field('text'), text('UTC')),
      "function 'parse_datetime' format '%s' reads an offset or an instant and takes no time zone",
    ],
    [
      'disambiguation',
      call('parse_datetime', text('%F'), field('text'), text('UTC'), text('never')),
      "function 'parse_datetime' does not accept disambiguation 'never'; expected one of reject, " +
        'earlier, later, compatible',
    ],
    [
      'TYPE 6.3 a network with host bits',
      call('ip_in_network', field('bytes'), text('10.0.0.1/8')),
      "function 'ip_in_network' network '10.0.0.1/8' has host bits set past its prefix length",
    ],
    ['a network of each row', call('ip_in_network', field('bytes'), field('opt_text')), 'BOOL?'],
  ]));

test('TYPE 6.6 literals reach the program in canonical spelling', () => {
  expect(
    typing(call('date_add', text('DAY'), int(1), field('at'), text('europe/paris'))),
  ).toMatchObject({
    arguments: [{ value: 'day' }, { value: '1' }, { kind: 'column' }, { value: 'Europe/Paris' }],
  });
  expect(typing(call('date_part', text('hour'), field('at'), text('-00:00')))).toMatchObject({
    arguments: [{}, {}, { value: '+00:00' }],
  });
});

test('TYPE 6.8 zones of the database are named with those of their links', () => {
  const names = new Set(timeZoneNames());
  for (const name of ['UTC', 'EST', 'MST', 'CET', 'GMT', 'Etc/GMT+5', 'US/Pacific']) {
    expect(names).toContain(name);
  }
  expect(names.size).toBeGreaterThan(590);
});

describe('TYPE 6.5 hash maps', () => {
  const lookup = (...args: Expression[]) => call('lookup_hash_map', ...args);
  table([
    ['a field', lookup(text('cities'), field('i64'), text('f64')), 'F64?'],
    ['a sensitive field', lookup(text('cities'), field('i64'), text('sec_f64')), 'F64?!'],
    ['a sensitive key', lookup(text('cities'), field('sec_i64'), text('f64')), 'F64?!'],
    ['TX-48 arity', lookup(text('cities')), 'LOOKUP_HASH_MAP expects 3 arguments, found 1'],
    [
      'TX-48 map',
      lookup(field('text'), int(1), text('f64')),
      'LOOKUP_HASH_MAP argument 1 must be a string literal',
    ],
    [
      'TX-48 field',
      lookup(text('cities'), int(1), field('text')),
      'LOOKUP_HASH_MAP argument 3 must be a string literal',
    ],
    [
      'TX-48 field missing',
      lookup(text('cities'), int(1), text('nope')),
      "LOOKUP_HASH_MAP field 'nope' is missing from hash map 'cities' schema",
    ],
    [
      'TX-48 map name',
      lookup(text('a b'), int(1), text('f64')),
      "LOOKUP_HASH_MAP hash map name 'a b' is invalid: invalid character ' ' in name",
    ],
    ['names in any case', lookup(text('CITIES'), int(1), text('F64')), 'F64?'],
    [
      'TX-48 nested',
      lookup(text('cities'), lookup(text('cities'), int(1), text('i64')), text('f64')),
      'LOOKUP_HASH_MAP key expression cannot contain another LOOKUP_HASH_MAP',
    ],
    [
      'no map',
      lookup(text('towns'), int(1), text('f64')),
      "LOOKUP_HASH_MAP hash map 'towns' does not exist",
    ],
    [
      'a key of BYTES',
      lookup(text('cities'), field('bytes'), text('f64')),
      'LOOKUP_HASH_MAP key requires a scalar other than Binary, found Binary',
    ],
  ]);
});

describe('TYPE 8 UDFs', () =>
  table([
    ['call', udf('score', field('i64'), field('text')), 'F64'],
    ['a required parameter may get null', udf('score', field('opt_i64'), text('a')), 'F64?'],
    ['an optional parameter may get null', udf('score', int(1), field('opt_text')), 'F64'],
    ['declared optional', udf('dice', int(6)), 'I64?'],
    ['sensitive', udf('score', field('sec_i64'), text('a')), 'F64!'],
    ['TX-40 unknown', udf('nope'), "referenced UDF 'udf::nope' does not exist"],
    ['arity', udf('score', int(1)), "UDF 'score' expects exactly 2 argument(s), found 1"],
    [
      'TX-48 type',
      udf('score', field('u8'), text('a')),
      "UDF 'score' argument 1 requires Int64, found UInt8; cast explicitly",
    ],
  ]));

describe('TYPE 7 JSON reads', () =>
  table([
    ['JSON_VALUE', jsonValue(field('text'), 'U8'), 'U8?'],
    ['TRY_JSON_VALUE', jsonValue(field('sec_text'), 'F32', 'TRY_JSON_VALUE'), 'F32?!'],
    ['a list', jsonValue(field('text'), { kind: 'vec', element: 'BOOL' }), 'VEC<BOOL>?'],
    ['JSON_EXISTS', jsonExists(field('text')), 'BOOL'],
    ['JSON_EXISTS of a null', jsonExists(field('opt_text')), 'BOOL?'],
    ['document', jsonValue(int(1), 'U8'), 'JSON_VALUE document must be STRING, found Int64'],
    [
      'TRY document',
      jsonValue(int(1), 'U8', 'TRY_JSON_VALUE'),
      'TRY_JSON_VALUE document must be STRING, found Int64',
    ],
    [
      'EXISTS document',
      jsonExists(field('bytes')),
      'JSON_EXISTS document must be STRING, found Binary',
    ],
    [
      'DATETIME',
      jsonValue(field('text'), { kind: 'vec', element: 'DATETIME' }),
      'JSON_VALUE cannot read DATETIME, which no JSON value is; read the text as STRING and ' +
        'convert it explicitly',
    ],
    [
      'BYTES',
      jsonValue(field('text'), 'BYTES'),
      'JSON_VALUE cannot read BYTES, which no JSON value is; read the text as STRING and ' +
        'decode it explicitly',
    ],
  ]));

describe('TX-42 materialized state', () =>
  table([
    ['a field', field('relay_state.rates.f64'), 'F64'],
    ['a sensitive field', field('relay_state.rates.sec_f64'), 'F64!'],
    [
      'not declared',
      field('relay_state.r.x'),
      "materialized-state reference 'relay_state.r' has no matching USING MATERIALIZED STATE " +
        'declaration',
    ],
    ['unknown field', field('relay_state.rates.x'), "unknown relay_state.rates field 'x'"],
  ]));

describe('TX-42 DEFAULT is constant', () => {
  test.each<[string, Expression, string]>([
    ['a literal', int(1), 'I64'],
    ['a function', call('upper', text('a')), 'STRING'],
    ['a field', field('x'), "must be constant; field reference 'x' is not allowed"],
    [
      'a state',
      field('relay_state.r.x'),
      "must be constant; field reference 'relay_state.r.x' is not allowed",
    ],
    ['the clock', call('now'), 'must use deterministic side-effect-free expressions'],
    ['chance', call('uuid_v4'), 'must use deterministic side-effect-free expressions'],
    ['a UDF', udf('score', int(1), text('a')), 'F64'],
    ['a volatile UDF', udf('dice', int(1)), 'must use deterministic side-effect-free expressions'],
  ])('%s', (_, expression, expected) => {
    expect(typeOf(expression, scopeOf(MATERIALIZED_DEFAULT))).toBe(expected);
  });
});

test('CN-48 read_header in an ingestor is optional and not sensitive', () => {
  expect(typeOf(call('read_header', text('x-a')), scopeOf(INGESTOR_FILTER))).toBe('STRING?');
  expect(typeOf(call('read_headers', text('x-a')), scopeOf(INGESTOR_FILTER))).toBe('VEC<STRING>');
  const mqtt = scopeOf(INGESTOR_FILTER, { headerless: 'MQTT' });
  expect(typeOf(call('read_header', text('x-a')), mqtt)).toBe(
    'MQTT ingestors do not support read_header or read_headers',
  );
});

test('typed calls carry name and overload, and leak_sensitive leaves none', () => {
  expect(typing(call('CHAR_LENGTH', text('a')))).toMatchObject({
    kind: 'call',
    function: 'length',
    overload: 'length',
  });
  expect(typing(call('round', field('f64'), int(2)))).toMatchObject({ overload: 'round.digits' });
  expect(typing(call('concat', field('vec')))).toMatchObject({ overload: 'concat.list' });
  expect(typing(call('leak_sensitive', field('input.sec_text')))).toMatchObject({
    kind: 'column',
    field: 'sec_text',
    sensitive: false,
  });
});

describe('faults of one expression', () => {
  test('every part that is wrong is told, in the order of evaluation, and what is around not', () => {
    const expression = binary(
      binary(field('nope'), 'add', call('trim', int(1))),
      'and',
      call('lower', nil),
    );
    expect(faultsOf(expression).map(({ reason }) => reason)).toEqual([
      "unknown input field 'nope'",
      "function 'trim' requires Utf8 input, found Int64",
      'NULL requires a declared optional assignment target',
    ]);
  });

  test.each<[string, Expression, string | undefined]>([
    ['a field', field('input.flog'), 'did you mean flag?'],
    ['a bare field', field('tezt'), 'did you mean text?'],
    ['neighbours exchanged', field('input.falg'), 'did you mean flag?'],
    ['a state', field('relay_state.rates.tetx'), 'did you mean text?'],
    ['a function', call('lenght', text('a')), 'did you mean length?'],
    ['an alias', call('bttrim', text('a')), 'did you mean btrim?'],
    ['a branch field', field('branch.tennant'), 'did you mean tenant?'],
    ['two that are as near', field('input.u3'), undefined],
    ['nothing near', call('frobnicate', text('a')), undefined],
    ['a right name', call('trim', int(1)), undefined],
  ])('the hint for %s', (_, expression, hint) => {
    expect(faultsOf(expression)[0]?.hint).toBe(hint);
  });
});

describe('what this release cannot run is told apart', () =>
  test.each<[string, Expression, readonly string[]]>([
    ['nothing', call('lower', text('a')), []],
    ['functions of texts', call('concat', call('md5', text('a')), call('md5', text('b'))), []],
    ['JSON', jsonExists(text('{}')), []],
    ['a VEC', call('vec', int(1)), []],
    [
      'each UDF',
      call('greatest', udf('dice', int(1)), udf('dice', int(2))),
      [
        'calls of UDFs in ROTO_0_13 are not supported by this release',
        'calls of UDFs in ROTO_0_13 are not supported by this release',
      ],
    ],
    ['a UDF in a language that has an engine', udf('twice', int(1)), []],
    [
      'a state',
      field('relay_state.rates.f64'),
      ['reading of materialized state is not supported by this release'],
    ],
  ])('%s', (_, expression, lacks) => {
    expect(lacksOf(expression)).toEqual(lacks);
  }));

test('a route WHERE of a window reads no aggregate', () => {
  const scope = scopeOf(WINDOW_ROUTE_WHERE);
  expect(typeOf(call('avg', int(1)), scope)).toBe("unknown function 'avg' with arity 1");
});

test('every function is found by each of its names, which no other has', () => {
  const written = [...BUILTIN_FUNCTIONS.values()].flatMap((definition) =>
    [definition.name, ...definition.aliases].map((name) => [name, definition] as const),
  );
  expect(new Set(written.map(([name]) => name.toLowerCase())).size).toBe(written.length);
  for (const [name, definition] of written) expect(findFunction(name)).toBe(definition);
});

test('overloads have names of their own', () => {
  const overloads = [...BUILTIN_FUNCTIONS.values(), ...WINDOW_AGGREGATES.values()].flatMap(
    ({ signatures }) => signatures.map(({ overload }) => overload),
  );
  expect(new Set(overloads).size).toBe(overloads.length);
});
