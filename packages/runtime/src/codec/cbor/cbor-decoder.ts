import type { SchemaField, SchemaPlan, WireCodecPlan } from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import type { ColumnBuilder } from '../../column/column-builder.js';
import { decodeText } from '../../column/text.js';
import { CodecFailures, type DecodeFailure, NULL_IN_REQUIRED } from '../codec-failure.js';
import type { PayloadDecoder } from '../payload-codec.js';
import { BREAK, CborScanner, INDEFINITE, MAJOR } from './cbor-scanner.js';
import { CborValueReader, isNull } from './cbor-value-reader.js';

/** Compiles the decoder of a CBOR codec for the schema it decodes into. */
export function compileCborDecoder(codec: WireCodecPlan, schema: SchemaPlan): PayloadDecoder {
  return new CborDecoder(codec, schema);
}

/**
 * Decodes one item of RFC 8949 a payload. The whole payload is checked first, then the names, then the
 * values in schema order, so that the failure reported does not depend on the order of members.
 */
class CborDecoder implements PayloadDecoder {
  readonly #failures: CodecFailures;
  readonly #fields: readonly SchemaField[];
  readonly #isStrict: boolean;
  readonly #indexByName: ReadonlyMap<string, number>;
  readonly #scanner = new CborScanner();
  readonly #values = new CborValueReader(this.#scanner);
  /** Where each field's last value lies, or -1. */
  readonly #starts: Float64Array;
  #unexpected: string | undefined;

  constructor(codec: WireCodecPlan, schema: SchemaPlan) {
    this.#failures = new CodecFailures(codec.name);
    this.#isStrict = codec.strict;
    this.#fields = schema.fields;
    this.#indexByName = new Map(schema.fields.map((field, index) => [field.name, index]));
    this.#starts = new Float64Array(schema.fields.length);
  }

  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    into: BatchBuilder,
  ): DecodeFailure | undefined {
    this.#scanner.open(bytes, end);
    this.#values.open(bytes);
    if (start === end) return this.#failures.payload('expected object payload');
    const isMap = (bytes[start] as number) >>> 5 === MAJOR.map;
    const after = isMap ? this.#members(bytes, start) : this.#scanner.value(start, 0);
    if (after >= 0 && after !== end) this.#scanner.fail(after, 'trailing bytes');
    if (after !== end) {
      const { defect, defectAt } = this.#scanner;
      return this.#failures.syntax('cbor', defect, defectAt - start);
    }
    if (!isMap) return this.#failures.payload('expected object payload');
    if (this.#isStrict && this.#unexpected !== undefined) {
      return this.#failures.unexpectedField(this.#unexpected);
    }
    return this.#row(bytes, into);
  }

  /** Checks the map and notes where each declared member's last value lies. */
  #members(bytes: Uint8Array, at: number): number {
    const scanner = this.#scanner;
    this.#starts.fill(-1);
    this.#unexpected = undefined;
    let position = scanner.head(at);
    if (position < 0) return -1;
    const isIndefinite = scanner.detail === INDEFINITE;
    for (let left = isIndefinite ? Number.POSITIVE_INFINITY : scanner.argument; left > 0; left--) {
      if (isIndefinite && bytes[position] === BREAK) return position + 1;
      const valueAt = scanner.key(position);
      if (valueAt < 0) return -1;
      const name = this.#name(bytes, position, valueAt);
      position = scanner.value(valueAt, 1);
      if (position < 0) return -1;
      const index = this.#indexByName.get(name);
      if (index === undefined) this.#unexpected ??= name;
      else this.#starts[index] = valueAt;
    }
    return position;
  }

  #name(bytes: Uint8Array, at: number, end: number): string {
    const textAt = this.#scanner.head(at);
    if (this.#scanner.detail !== INDEFINITE) return decodeText(bytes, textAt, end);
    const target = new Uint8Array(end - at);
    return decodeText(target, 0, this.#values.copyText(at, target, 0));
  }

  #row(bytes: Uint8Array, into: BatchBuilder): DecodeFailure | undefined {
    into.reserveRow();
    for (let index = 0; index < this.#fields.length; index += 1) {
      const field = this.#fields[index] as SchemaField;
      const column = into.columns[index] as ColumnBuilder;
      const at = this.#starts[index] as number;
      if (at < 0 || isNull(bytes[at])) {
        if (field.optional) column.set(into.rowCount, null);
        else if (at < 0) return this.#failures.missingField(field);
        else return this.#failures.field(field, NULL_IN_REQUIRED);
      } else {
        const reason = this.#values.read(field.type, at, column, into.rowCount);
        if (reason !== undefined) return this.#failures.field(field, reason);
      }
    }
    into.rowCount += 1;
    return undefined;
  }
}
