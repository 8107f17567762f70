import { BUILTIN_FUNCTIONS, type Expression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { isUntyped } from '../../src/expression/checked.js';
import { call, field, text } from '../support/expressions.js';
import { ELEMENTS, SIGNATURE_ROWS, TYPE_COLUMNS, TYPE_SETS } from '../support/signature-rows.js';
import { typeOf, typing } from '../support/typing.js';

type Argument =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'types'; readonly mark: '' | 'T' | 'L'; readonly set: ReadonlySet<string> };

interface Row {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly result: string;
  readonly nullability: string;
}

function readRow(line: string): Row {
  const [, name = '', written = '', result = '', nullability = ''] =
    /^6\.\d (\w+)(.*) -> ([^?!&]+?)(?: ([?!&]))?$/u.exec(line) ?? [];
  const args = [...written.matchAll(/'([^']*)'|(?:([TL]):)?(\w)/gu)].map(
    ([, literal, mark = '', set = '']): Argument =>
      literal === undefined
        ? { kind: 'types', mark: mark as '' | 'T' | 'L', set: new Set(TYPE_SETS[set]) }
        : { kind: 'literal', text: literal },
  );
  return { name, args, result, nullability };
}

/** Type of the result for arguments of the given types, or undefined where they are refused. */
function expectedResult({ args, result }: Row, types: readonly string[]): string | undefined {
  let shared: string | undefined;
  for (const [index, argument] of args.entries()) {
    if (argument.kind === 'literal') continue;
    const type = types[index] ?? '';
    const part = argument.mark === 'L' ? ELEMENTS[type] : type;
    if (part === undefined || !argument.set.has(part)) return undefined;
    if (argument.mark === '') continue;
    if (shared !== undefined && shared !== part) return undefined;
    shared = part;
  }
  if (shared === undefined) return result;
  if (result === 'VEC<T>') return `VEC<${shared}>`;
  return result === 'T' ? shared : result;
}

/** Every choice of types for the arguments that are no literals. */
function combinations(args: readonly Argument[]): readonly (readonly string[])[] {
  let chosen: readonly (readonly string[])[] = [[]];
  for (const argument of args) {
    const types = argument.kind === 'literal' ? ['STRING'] : Object.keys(TYPE_COLUMNS);
    chosen = chosen.flatMap((before) => types.map((type) => [...before, type]));
  }
  return chosen;
}

function callOf({ name, args }: Row, types: readonly string[], prefixes: readonly string[] = []) {
  const parts = args.map((argument, index): Expression => {
    if (argument.kind === 'literal') return text(argument.text);
    return field(`${prefixes[index] ?? ''}${TYPE_COLUMNS[types[index] ?? '']}`);
  });
  return call(name, ...parts);
}

function acceptedTypes(row: Row): readonly string[] {
  const found = combinations(row.args).find((types) => expectedResult(row, types) !== undefined);
  if (found === undefined) throw new Error(`${row.name} takes nothing`);
  return found;
}

describe('TYPE 6 truth tables: argument types that are taken and refused', () => {
  test.each(SIGNATURE_ROWS)('%s', (line) => {
    const row = readRow(line);
    const mark = row.nullability === '?' ? '?' : '';
    const wrong: string[] = [];
    for (const types of combinations(row.args)) {
      const expected = expectedResult(row, types);
      const found = typing(callOf(row, types));
      const isRefused = typeof found === 'string';
      if (
        expected === undefined
          ? isRefused
          : !isRefused && typeOf(callOf(row, types)) === `${expected}${mark}`
      ) {
        continue;
      }
      wrong.push(`${types.join(', ')}: ${isRefused ? found : typeOf(callOf(row, types))}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('TYPE 1.2 nullability of results', () => {
  test.each(SIGNATURE_ROWS)('%s', (line) => {
    const row = readRow(line);
    const types = acceptedTypes(row);
    const optional = (prefixes: readonly string[]): boolean => {
      const value = typing(callOf(row, types, prefixes));
      if (typeof value === 'string' || isUntyped(value)) throw new Error(String(value));
      return value.optional;
    };
    const places = row.args.flatMap((each, index) => (each.kind === 'literal' ? [] : [index]));
    const only = (place: number) => row.args.map((_, index) => (index === place ? 'opt_' : ''));
    const isAlways = row.nullability === '?';
    const isNever = row.nullability === '!';
    expect(optional([])).toBe(isAlways);
    for (const place of places) {
      const isLone = places.length === 1;
      const expected = isAlways || (!isNever && (row.nullability !== '&' || isLone));
      expect(optional(only(place))).toBe(expected);
    }
    if (places.length > 0) expect(optional(row.args.map(() => 'opt_'))).toBe(!isNever);
  });
});

describe('TYPE 1.3 sensitivity of results', () => {
  test.each(SIGNATURE_ROWS)('%s', (line) => {
    const row = readRow(line);
    const types = acceptedTypes(row);
    expect(typeOf(callOf(row, types))).not.toContain('!');
    for (const [place, argument] of row.args.entries()) {
      if (argument.kind === 'literal') continue;
      const prefixes = row.args.map((_, index) => (index === place ? 'sec_' : ''));
      expect(typeOf(callOf(row, types, prefixes))).toMatch(/!$/u);
    }
  });
});

test('TYPE 6 every function and alias has a row, or is tested by name', () => {
  const described = new Set(SIGNATURE_ROWS.map((line) => readRow(line).name));
  const others = [...BUILTIN_FUNCTIONS.values()]
    .flatMap(({ name, aliases }) => [name, ...aliases])
    .filter((name) => !described.has(name));
  expect(others.sort()).toEqual([
    'LOOKUP_HASH_MAP',
    'array',
    'concat',
    'contains',
    'contains_any',
    'date_bin',
    'join',
    'leak_sensitive',
    'read_header',
    'read_headers',
    'write_header',
  ]);
});
