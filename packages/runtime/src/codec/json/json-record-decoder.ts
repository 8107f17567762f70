import type { SchemaField, SchemaPlan, WireCodecPlan } from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import type { ColumnBuilder } from '../../column/column-builder.js';
import { decodeText } from '../../column/text.js';
import { CodecFailures, type DecodeFailure, NULL_IN_REQUIRED } from '../codec-failure.js';
import { JsonScanner } from './json-scanner.js';
import { JsonTextReader } from './json-text.js';
import { JsonValueReader } from './json-value-reader.js';

/**
 * Decoder of one payload in any accepted form: members in any order, repeated, escaped or undeclared.
 * The syntax of the whole payload is checked first, then the names, then the values in schema order,
 * so that the failure reported does not depend on the order of members.
 */
export class JsonRecordDecoder {
  readonly #failures: CodecFailures;
  readonly #fields: readonly SchemaField[];
  readonly #isStrict: boolean;
  readonly #indexByName: ReadonlyMap<string, number>;
  readonly #scanner = new JsonScanner();
  readonly #values = new JsonValueReader(this.#scanner);
  readonly #text = new JsonTextReader();
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #unexpected: string | undefined;
  /** Members of the payload decoded last: positions of declared fields and undeclared names. */
  readonly sequence: (number | string)[] = [];
  #payloadAt = 0;
  #end = 0;

  constructor(codec: WireCodecPlan, schema: SchemaPlan) {
    this.#failures = new CodecFailures(codec.name);
    this.#isStrict = codec.strict;
    this.#fields = schema.fields;
    this.#indexByName = new Map(schema.fields.map((field, index) => [field.name, index]));
    this.#starts = new Int32Array(schema.fields.length);
    this.#ends = new Int32Array(schema.fields.length);
  }

  /** Decodes `bytes[start..end)` as the builder's next row; a failure leaves the builder as it was. */
  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined {
    this.#payloadAt = start;
    this.#end = end;
    this.#scanner.open(bytes, end);
    const at = this.#scanner.space(start);
    if (at >= end) return this.#failures.payload('expected object payload');
    const isObject = bytes[at] === 0x7b;
    const after = isObject ? this.#members(bytes, at) : this.#scanner.value(at, 0);
    if (after < 0) return this.#syntaxFailure();
    const rest = this.#scanner.space(after);
    if (rest !== end) {
      this.#scanner.fail(rest, 'trailing bytes');
      return this.#syntaxFailure();
    }
    if (!isObject) return this.#failures.payload('expected object payload');
    if (this.#isStrict && this.#unexpected !== undefined) {
      return this.#failures.unexpectedField(this.#unexpected);
    }
    return this.#row(bytes, end, into);
  }

  #syntaxFailure(): DecodeFailure {
    const { defect, defectAt } = this.#scanner;
    return this.#failures.syntax('json', defect, defectAt - this.#payloadAt);
  }

  /** Checks the object's syntax and notes where each declared member's last value lies. */
  #members(bytes: Uint8Array, at: number): number {
    const scanner = this.#scanner;
    this.#starts.fill(-1);
    this.#unexpected = undefined;
    this.sequence.length = 0;
    let position = scanner.space(at + 1);
    if (position < this.#end && bytes[position] === 0x7d) return position + 1;
    for (;;) {
      const valueAt = scanner.key(position);
      if (valueAt < 0) return -1;
      const name = this.#name(bytes, position, valueAt);
      scanner.hugeNumberAt = -1;
      const valueEnd = scanner.value(valueAt, 1);
      if (valueEnd < 0) return -1;
      const index = this.#indexByName.get(name);
      this.sequence.push(index ?? name);
      if (index === undefined) {
        this.#unexpected ??= name;
        const { hugeNumberAt } = scanner;
        if (hugeNumberAt >= 0) return scanner.fail(hugeNumberAt, 'number out of range');
      } else {
        this.#starts[index] = valueAt;
        this.#ends[index] = valueEnd;
      }
      position = scanner.space(valueEnd);
      const separator = position < this.#end ? bytes[position] : undefined;
      if (separator === 0x7d) return position + 1;
      if (separator !== 0x2c) return scanner.fail(position, "expected ',' or '}'");
      position = scanner.space(position + 1);
    }
  }

  #name(bytes: Uint8Array, at: number, end: number): string {
    let position = at + 1;
    while (bytes[position] !== 0x22 && bytes[position] !== 0x5c) position += 1;
    if (bytes[position] === 0x22) return decodeText(bytes, at + 1, position);
    const target = new Uint8Array(end - at);
    this.#text.read(bytes, at + 1, end, target, 0);
    return decodeText(target, 0, this.#text.written);
  }

  #row(bytes: Uint8Array, end: number, into: BatchBuilder): DecodeFailure | undefined {
    into.reserveRow();
    this.#scanner.open(bytes, end);
    for (let index = 0; index < this.#fields.length; index += 1) {
      const field = this.#fields[index] as SchemaField;
      const column = into.columns[index] as ColumnBuilder;
      const start = this.#starts[index] as number;
      const isNull = start >= 0 && bytes[start] === 0x6e;
      if (start < 0 || isNull) {
        if (field.optional) column.set(into.rowCount, null);
        else if (isNull) return this.#failures.field(field, NULL_IN_REQUIRED);
        else return this.#failures.missingField(field);
      } else {
        this.#values.open(bytes);
        const valueEnd = this.#ends[index] as number;
        const reason = this.#values.read(field.type, start, valueEnd, column, into.rowCount);
        if (reason !== undefined) return this.#failures.field(field, reason);
      }
    }
    into.rowCount += 1;
    return undefined;
  }
}
