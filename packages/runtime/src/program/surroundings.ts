import {
  assert,
  type TypedJsonExists,
  type TypedJsonRead,
  type TypedLookup,
  type TypedState,
} from '@nervix/model';
import { readValue, type Value } from '../column/column.js';
import { jsonReader, jsonTest } from '../json/json-read.js';
import type { ProgramRows } from './row-set.js';

type JsonKernel = (document: string) => Value;

const jsonKernels = new WeakMap<TypedJsonRead | TypedJsonExists, JsonKernel>();

/** The reader of a JSON expression, made at its first use. */
export function jsonKernel(expression: TypedJsonRead | TypedJsonExists): JsonKernel {
  const known = jsonKernels.get(expression);
  if (known !== undefined) return known;
  const kernel = expression.kind === 'json_read' ? jsonReader(expression) : jsonTest(expression);
  jsonKernels.set(expression, kernel);
  return kernel;
}

/** Field of the entry that a hash map has for a key that is present. */
export function lookUp({ map, field }: TypedLookup, key: Value, rows: ProgramRows): Value {
  assert(rows.lookUp !== undefined, 'a program is given the hash maps it reads');
  return rows.lookUp(map, field, key);
}

/** Field of the latest record of a materialized relay; null while there is none. */
export function stateValue({ relay, field }: TypedState, rows: ProgramRows, row: number): Value {
  const view = rows.states?.(relay);
  if (view === undefined) return null;
  const column = view.columns[view.schema.fields.findIndex(({ name }) => name === field)];
  assert(column !== undefined && column !== null, 'a program reads columns that exist');
  return readValue(column, view.rowCount === 1 ? 0 : row);
}
