import type { CsvCodecPlan, SchemaField, SchemaPlan } from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import type { ColumnBuilder } from '../../column/column-builder.js';
import { decodeText, encodeText } from '../../column/text.js';
import { readByteOrderMark } from '../byte-order-mark.js';
import { CodecFailures, type DecodeFailure, NULL_IN_REQUIRED } from '../codec-failure.js';
import type { PayloadDecoder } from '../payload-codec.js';
import { shownName } from '../shown-name.js';
import { readTextValue } from '../text-value.js';
import { invalidUtf8At } from '../utf8.js';
import { CsvScanner } from './csv-scanner.js';

/** Most records that one payload may unfold into. */
export const MESSAGES_MAX = 65_536;

const DROPPED = -1;

/** Compiles the decoder of a CSV codec for the schema it decodes into. */
export function compileCsvDecoder(codec: CsvCodecPlan, schema: SchemaPlan): PayloadDecoder {
  return new CsvDecoder(codec, schema);
}

/** Decodes one document a payload: every record becomes a row, or none does. */
class CsvDecoder implements PayloadDecoder {
  readonly #codec: CsvCodecPlan;
  readonly #failures: CodecFailures;
  readonly #fields: readonly SchemaField[];
  readonly #scanner: CsvScanner;
  readonly #quote: number;
  readonly #nullToken: Uint8Array | null;
  /** Field of each column of the document, or `DROPPED`. */
  #fieldOf: number[] = [];
  /** Column of each field, or -1. */
  #columnOf: number[] = [];
  #text: Uint8Array = new Uint8Array(64);
  /** Number of the record being read, from 1. */
  #record = 0;

  constructor(codec: CsvCodecPlan, schema: SchemaPlan) {
    this.#codec = codec;
    this.#failures = new CodecFailures(codec.name);
    this.#fields = schema.fields;
    this.#scanner = new CsvScanner(codec);
    this.#quote = codec.quote === null ? 0 : codec.quote.charCodeAt(0);
    this.#nullToken = codec.nullToken === null ? null : encodeText(codec.nullToken);
  }

  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined {
    const mark = readByteOrderMark(bytes, start, end);
    if (typeof mark === 'string') return this.#failures.payload(`input is ${mark}, expected UTF-8`);
    const invalidAt = invalidUtf8At(bytes, start + mark, end);
    if (invalidAt >= 0) return this.#failures.syntax('csv', 'invalid UTF-8', invalidAt - start);
    this.#scanner.open(bytes, start + mark, end);
    this.#record = 0;
    const rowsBefore = into.rowCount;
    const failure = this.#header(bytes) ?? this.#rows(bytes, into);
    if (failure !== undefined) into.truncate(rowsBefore);
    return failure;
  }

  /** Moves to the next record and finds its fields; false at the end of the document. */
  #next(): boolean | DecodeFailure {
    const scanner = this.#scanner;
    if (this.#fields.length !== 1) scanner.skipEmptyLines();
    if (scanner.isAtEnd) return false;
    this.#record += 1;
    const defect = scanner.record();
    return defect === undefined ? true : this.#failure(defect, scanner.fieldCount);
  }

  #header(bytes: Uint8Array): DecodeFailure | undefined {
    // The columns of a header belong to no field yet.
    this.#fieldOf = [];
    const found = this.#codec.header === 'NONE' ? false : this.#next();
    if (typeof found === 'object') return found;
    this.#fieldOf = this.#fields.map((_, index) => index);
    this.#columnOf = this.#fieldOf;
    return found && this.#codec.header === 'NAMES' ? this.#names(bytes) : undefined;
  }

  #names(bytes: Uint8Array): DecodeFailure | undefined {
    const { fieldCount } = this.#scanner;
    const names = Array.from({ length: fieldCount }, (_, column) => this.#name(bytes, column));
    if (new Set(names).size !== names.length) {
      return this.#failures.payload(`CSV record ${this.#record}: a column name is repeated`);
    }
    this.#fieldOf = names.map((name) => this.#fields.findIndex((field) => field.name === name));
    this.#columnOf = this.#fields.map((field) => names.indexOf(field.name));
    if (!this.#codec.strict) return undefined;
    const unknown = this.#fieldOf.indexOf(DROPPED);
    if (unknown >= 0) {
      const prefix = `CSV record ${this.#record}`;
      const field = shownName(names[unknown] ?? '');
      return {
        ...this.#failures.payload(`${prefix} field '${field}': column is not in the schema`, field),
        logged: this.#failures.payload(`${prefix}: a column is not in the schema`).message,
      };
    }
    const absent = this.#fields.find(
      ({ optional }, index) => !optional && this.#columnOf[index] === -1,
    );
    return absent === undefined
      ? undefined
      : this.#fieldFailure(absent, 'required column is missing');
  }

  #name(bytes: Uint8Array, column: number): string {
    const { starts, ends, isDoubled } = this.#scanner;
    const start = starts[column] as number;
    const end = ends[column] as number;
    if (isDoubled[column] !== true) return decodeText(bytes, start, end);
    return decodeText(this.#text, 0, this.#undouble(bytes, start, end));
  }

  #rows(bytes: Uint8Array, into: BatchBuilder): DecodeFailure | undefined {
    const rowsMax = into.rowCount + MESSAGES_MAX;
    for (;;) {
      const found = this.#next();
      if (found === false) return undefined;
      if (found !== true) return found;
      if (into.rowCount === rowsMax) {
        return this.#failures.payload(`CSV payload has more than ${MESSAGES_MAX} records`);
      }
      const failure = this.#row(bytes, into);
      if (failure !== undefined) return failure;
    }
  }

  #row(bytes: Uint8Array, into: BatchBuilder): DecodeFailure | undefined {
    const { fieldCount } = this.#scanner;
    const columns = this.#fieldOf.length;
    if (this.#codec.strict && fieldCount !== columns) {
      const counts = `expected ${columns} fields, found ${fieldCount}`;
      return this.#failures.payload(`CSV record ${this.#record}: ${counts}`);
    }
    into.reserveRow();
    for (let index = 0; index < this.#fields.length; index += 1) {
      const field = this.#fields[index] as SchemaField;
      const target = into.columns[index] as ColumnBuilder;
      const column = this.#columnOf[index] as number;
      if (column < 0 || column >= fieldCount || this.#isNull(bytes, column, field)) {
        if (!field.optional) return this.#fieldFailure(field, NULL_IN_REQUIRED);
        target.set(into.rowCount, null);
      } else if (!this.#value(bytes, column, field, target, into.rowCount)) {
        return this.#fieldFailure(field, `value is incompatible with ${String(field.type)}`);
      }
    }
    into.rowCount += 1;
    return undefined;
  }

  #isNull(bytes: Uint8Array, column: number, { type, optional }: SchemaField): boolean {
    const { starts, ends, isQuoted } = this.#scanner;
    if (isQuoted[column] === true) return false;
    const start = starts[column] as number;
    const length = (ends[column] as number) - start;
    const token = this.#nullToken;
    if (token !== null && token.length === length) {
      let at = 0;
      while (at < length && bytes[start + at] === token[at]) at += 1;
      if (at === length) return true;
    }
    return length === 0 && (type !== 'STRING' || optional);
  }

  // biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
  #value(
    bytes: Uint8Array,
    column: number,
    field: SchemaField,
    target: ColumnBuilder,
    row: number,
  ): boolean {
    const { starts, ends, isDoubled } = this.#scanner;
    const start = starts[column] as number;
    const end = ends[column] as number;
    if (isDoubled[column] !== true)
      return readTextValue(field.type, bytes, start, end, target, row);
    const length = this.#undouble(bytes, start, end);
    return readTextValue(field.type, this.#text, 0, length, target, row);
  }

  /** Copies a quoted text with its quotes written once; returns its length. */
  #undouble(bytes: Uint8Array, start: number, end: number): number {
    if (this.#text.length < end - start) this.#text = new Uint8Array((end - start) * 2);
    let to = 0;
    for (let from = start; from < end; from += 1) {
      this.#text[to++] = bytes[from] as number;
      if (bytes[from] === this.#quote) from += 1;
    }
    return to;
  }

  #failure(cause: string, column: number): DecodeFailure {
    const index = this.#fieldOf[column];
    const field = index === undefined || index === DROPPED ? undefined : this.#fields[index];
    if (field !== undefined) return this.#fieldFailure(field, cause);
    return this.#failures.payload(`CSV record ${this.#record}: ${cause}`);
  }

  #fieldFailure({ name }: SchemaField, cause: string): DecodeFailure {
    return this.#failures.payload(`CSV record ${this.#record} field '${name}': ${cause}`, name);
  }
}
