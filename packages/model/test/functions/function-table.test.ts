import { describe, expect, test } from 'vitest';
import {
  BUILTIN_FUNCTIONS,
  failureKinds,
  findAggregate,
  findFunction,
  functionNames,
  printSignatures,
  resolveCall,
  WINDOW_AGGREGATES,
} from '../../src/index.js';

const functions = [...BUILTIN_FUNCTIONS.values(), ...WINDOW_AGGREGATES.values()];

test('NSPL 11: every function is offered at the one place where it may be called, once', () => {
  const places = ['anywhere', 'header_source', 'invoke', 'lookup', 'aggregate'] as const;
  const offered = places.flatMap((place) => functionNames(place));
  expect(new Set(offered).size).toBe(offered.length);
  expect(offered).toHaveLength(functions.flatMap(({ name, aliases }) => [name, ...aliases]).length);
  expect(functionNames('invoke')).toEqual(['write_header']);
  expect(functionNames('lookup', 'header_source').toSorted()).toEqual([
    'LOOKUP_HASH_MAP',
    'read_header',
    'read_headers',
  ]);
});

test('names are found in any case, and aggregates apart from list functions', () => {
  expect(findFunction('Char_Length')?.name).toBe('length');
  expect(findFunction('max')?.family).toBe('list');
  expect(findAggregate('max')?.name).toBe('MAX');
  expect(findFunction('avg')).toBe(undefined);
});

test.each(functions.map((each) => [each.name, each] as const))(
  '%s tells what it does',
  (_, each) => {
    expect(each.summary).toMatch(/^[A-Z0-9-].*[^.]\.$/u);
    expect(each.signatures.length).toBeGreaterThan(0);
  },
);

test.each([
  ['substr', ['substr(text STRING, start integer[, length integer]) -> STRING']],
  [
    'parse_datetime',
    [
      'parse_datetime(format STRING literal, text STRING[, zone STRING literal' +
        '[, disambiguation STRING literal]]) -> DATETIME',
    ],
  ],
  ['regexp_substr', ['regexp_substr(text STRING, pattern STRING) -> STRING OPTIONAL']],
  ['coalesce', ['coalesce(value T, …) -> T, T any type']],
  [
    'contains',
    [
      'contains(text STRING, part STRING) -> BOOL',
      'contains(list list of T, element T) -> BOOL, T scalar',
    ],
  ],
  ['slice', ['slice(list list of T, start integer, length integer) -> VEC<T>, T any type']],
  ['array', ['array(value T, …) -> ARRAY<T, n>, T any type']],
  ['join', ['join(list list of STRING, separator STRING) -> STRING']],
  ['pow', ['pow(base number, exponent number) -> F64']],
  ['write_header', ['write_header(name STRING, value STRING)']],
  [
    'LOOKUP_HASH_MAP',
    [
      "LOOKUP_HASH_MAP(map STRING literal, key scalar, field STRING literal) -> the field's type OPTIONAL",
    ],
  ],
  ['ip_in_network', ['ip_in_network(address BYTES, network STRING) -> BOOL']],
])('the signatures of %s as editors show them', (name, expected) => {
  const definition = findFunction(name);
  expect(definition === undefined ? [] : printSignatures(definition)).toEqual(expected);
});

describe('failures by the type of the first argument', () => {
  const kindsOf = (name: string, type: 'I64' | 'F64' | 'STRING', index = 0) =>
    failureKinds(findFunction(name)?.signatures[index]?.failures ?? [], type);

  test('TYPE 6.4', () => {
    expect(kindsOf('abs', 'I64')).toEqual(['overflow']);
    expect(kindsOf('abs', 'F64')).toEqual(['invalid_argument']);
    expect(kindsOf('ceil', 'I64')).toEqual([]);
    expect(kindsOf('shift_left', 'I64')).toEqual(['overflow', 'invalid_argument']);
  });

  test('TYPE 6.2, 6.3', () => {
    expect(kindsOf('lower', 'STRING')).toEqual([]);
    expect(kindsOf('split', 'STRING')).toEqual(['overflow']);
    expect(kindsOf('base64_decode', 'STRING')).toEqual(['cast_failed']);
  });
});

test('a signature is chosen by the number of arguments, then by whether the first is a list', () => {
  const chosen = (name: string, ...types: ('STRING' | 'F64' | 'list')[]) => {
    const definition = findFunction(name);
    if (definition === undefined) return undefined;
    const args = types.map((type) => ({
      type: type === 'list' ? ({ kind: 'vec', element: 'STRING' } as const) : type,
      optional: false,
    }));
    const resolution = resolveCall(definition, args);
    return resolution.kind === 'ok' ? resolution.signature.overload : resolution;
  };
  expect(chosen('concat', 'STRING')).toBe('concat.text');
  expect(chosen('concat', 'list', 'list')).toBe('concat.list');
  expect(chosen('log', 'F64', 'F64')).toBe('log.base');
  expect(chosen('clamp', 'F64')).toEqual({ kind: 'arity', expected: 3 });
  expect(chosen('substr', 'STRING')).toEqual({ kind: 'arity', expected: null });
});
