import type { DataType, FloatType, IntegerType, SchemaField, SchemaPlan } from '@nervix/model';
import { ArrowDefect } from './arrow-defect.js';
import {
  NANOSECONDS,
  PRECISION,
  SCHEMA_NAME_KEY,
  SENSITIVE_KEY,
  SLOT,
  TYPE,
} from './arrow-format.js';
import type { FlatTable } from './flat-table.js';

/** Deepest nesting of lists that is read. */
const NESTING_MAX = 32;
/** Most tables that a schema may consist of. */
const TABLES_MAX = 100_000;

/** Time zones that are UTC, as writers of streams name it. */
const UTC_NAMES: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'Z', '+00:00', '-00:00']);

/** A column whose values stand in a dictionary. */
export interface DictionaryUse {
  readonly id: bigint;
  readonly indexType: IntegerType;
}

/** A field of a stream and how its batches hold it. */
export interface ArrowField {
  readonly field: SchemaField;
  readonly dictionary: DictionaryUse | null;
  /** Of the element, for lists. */
  readonly element: ArrowField | null;
}

/** What a stream begins with. */
export interface ArrowSchema {
  readonly schema: SchemaPlan;
  readonly fields: readonly ArrowField[];
}

/** Reads the table `Schema`. */
export function readSchema(table: FlatTable): ArrowSchema {
  if (table.int16(SLOT.schema.endianness) !== 0) throw new ArrowDefect('big-endian streams');
  const reader = new SchemaReader();
  const fields = table.tables(SLOT.schema.fields).map((field) => reader.field(field, 0));
  const names = new Set<string>();
  for (const { field } of fields) {
    if (names.has(field.name)) throw new ArrowDefect(`two fields are named '${field.name}'`);
    names.add(field.name);
  }
  const name = reader.metadata(table, SLOT.schema.metadata).get(SCHEMA_NAME_KEY) ?? 'arrow';
  return { schema: { name, fields: fields.map(({ field }) => field) }, fields };
}

/** Reads fields up to a number of tables, for references may lead to one table many times. */
class SchemaReader {
  #left = TABLES_MAX;

  #take(tables: FlatTable[]): FlatTable[] {
    this.#left -= tables.length;
    if (this.#left < 0) throw new ArrowDefect('a schema of too many fields');
    return tables;
  }

  metadata(table: FlatTable, slot: number): ReadonlyMap<string, string> {
    return new Map(
      this.#take(table.tables(slot)).map((pair) => [
        pair.text(SLOT.keyValue.key) ?? '',
        pair.text(SLOT.keyValue.value) ?? '',
      ]),
    );
  }

  field(table: FlatTable, depth: number): ArrowField {
    if (depth > NESTING_MAX) throw new ArrowDefect('lists nested too deeply');
    const name = table.text(SLOT.field.name) ?? '';
    const children = this.#take(table.tables(SLOT.field.children)).map((child) =>
      this.field(child, depth + 1),
    );
    const field: SchemaField = {
      name,
      type: readType(table, name, children),
      optional: table.int8(SLOT.field.nullable) !== 0,
      sensitive: this.metadata(table, SLOT.field.metadata).get(SENSITIVE_KEY) === 'true',
    };
    return { field, dictionary: readDictionary(table), element: children[0] ?? null };
  }
}

function readDictionary(table: FlatTable): DictionaryUse | null {
  const encoding = table.table(SLOT.field.dictionary);
  if (encoding === null) return null;
  const indexType = encoding.table(SLOT.dictionaryEncoding.indexType);
  return {
    id: encoding.int64(SLOT.dictionaryEncoding.id),
    indexType: indexType === null ? 'I32' : readInteger(indexType),
  };
}

function readType(table: FlatTable, name: string, children: readonly ArrowField[]): DataType {
  const kind = table.int8(SLOT.field.typeType);
  const parts = table.table(SLOT.field.type);
  if (parts === null) throw new ArrowDefect(`the type of field '${name}' is missing`);
  switch (kind) {
    case TYPE.bool:
      return 'BOOL';
    case TYPE.utf8:
      return 'STRING';
    case TYPE.binary:
      return 'BYTES';
    case TYPE.int:
      return readInteger(parts);
    case TYPE.floatingPoint:
      return readFloat(parts, name);
    case TYPE.timestamp: {
      const isUtc = UTC_NAMES.has(parts.text(SLOT.timestamp.timezone) ?? '');
      if (parts.int16(SLOT.timestamp.unit) === NANOSECONDS && isUtc) return 'DATETIME';
      throw new ArrowDefect(`field '${name}' holds times other than UTC nanoseconds`);
    }
    case TYPE.list:
      return { kind: 'vec', element: elementOf(name, children) };
    case TYPE.fixedSizeList: {
      const length = parts.int32(SLOT.fixedSizeList.listSize);
      if (length < 1) throw new ArrowDefect(`field '${name}' has lists of no fixed length`);
      return { kind: 'array', element: elementOf(name, children), length };
    }
    default:
      throw new ArrowDefect(`field '${name}' has a type that no schema has`);
  }
}

function elementOf(name: string, children: readonly ArrowField[]): DataType {
  const [element] = children;
  if (element === undefined) throw new ArrowDefect(`field '${name}' has no element type`);
  return element.field.type;
}

function readInteger(parts: FlatTable): IntegerType {
  const bits = parts.int32(SLOT.int.bitWidth);
  if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) {
    throw new ArrowDefect('integers of another width');
  }
  return parts.int8(SLOT.int.isSigned) !== 0 ? `I${bits}` : `U${bits}`;
}

function readFloat(parts: FlatTable, name: string): FloatType {
  const precision = parts.int16(SLOT.floatingPoint.precision);
  if (precision === PRECISION.double) return 'F64';
  if (precision === PRECISION.single) return 'F32';
  throw new ArrowDefect(`field '${name}' holds half-precision floats`);
}
