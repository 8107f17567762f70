import {
  AGGREGATE_FUNCTION_NAMES,
  BUILTIN_FUNCTION_NAMES,
  HEADER_READER_NAMES,
} from '@nervix/model';
import { expect, test } from 'vitest';
import { WINDOW_AGGREGATES } from '../../src/expression/aggregates.js';
import { BUILTIN_FUNCTIONS } from '../../src/expression/functions/builtin-functions.js';

test('NSPL 11: every function that can be called can be offered', () => {
  const offered = new Set(
    [...BUILTIN_FUNCTION_NAMES, ...HEADER_READER_NAMES].map((name) => name.toLowerCase()),
  );
  const callable = [...BUILTIN_FUNCTIONS.values()].flatMap(({ name, aliases }) => [
    name,
    ...aliases,
  ]);
  expect(callable.length).toBeGreaterThan(0);
  expect(callable.filter((name) => !offered.has(name.toLowerCase()))).toEqual([]);
});

test('NSPL 11: every aggregate that can be called can be offered', () => {
  const offered = new Set(AGGREGATE_FUNCTION_NAMES);
  expect(WINDOW_AGGREGATES.size).toBeGreaterThan(0);
  expect([...WINDOW_AGGREGATES.keys()].filter((name) => !offered.has(name))).toEqual([]);
});

test('NSPL 11: no function is offered twice', () => {
  for (const names of [BUILTIN_FUNCTION_NAMES, AGGREGATE_FUNCTION_NAMES, HEADER_READER_NAMES]) {
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  }
});
