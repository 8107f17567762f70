import { createHash } from 'node:crypto';
import { assert, type SchemaPlan } from '@nervix/model';
import type { RecordBatch } from '../batch/record-batch.js';
import { rowJson, valueJson } from '../batch/row-json.js';
import { readValue } from '../column/column.js';

/** Keys kept ready for reuse by one factory. */
const CACHED_KEYS_MAX = 4096;

/** One concrete branch: the declaration's name and the values of its key fields. */
export class BranchKey {
  readonly branch: string;
  /** Canonical JSON of the key fields, sorted by name. Equal keys have equal text. */
  readonly text: string;
  /** For display: fields in declaration order, sensitive values masked. */
  readonly shownText: string;
  /** The key fields as a batch of one row. */
  readonly row: RecordBatch;
  #fingerprint: string | undefined;

  constructor(fields: {
    readonly branch: string;
    readonly text: string;
    readonly shownText: string;
    readonly row: RecordBatch;
  }) {
    this.branch = fields.branch;
    this.text = fields.text;
    this.shownText = fields.shownText;
    this.row = fields.row;
  }

  /** Digest of declaration and text: the only form that leaves the data plane's memory. */
  get fingerprint(): string {
    this.#fingerprint ??= createHash('sha256')
      .update(`${this.branch}\n${this.text}`)
      .digest('hex')
      .slice(0, 32);
    return this.#fingerprint;
  }
}

/** The rows of a batch that belong to one concrete branch, in order. */
export interface BranchGroup {
  readonly key: BranchKey;
  readonly rows: Int32Array;
}

/** Makes the keys of one branch declaration from batches of its key schema. */
export class BranchKeys {
  readonly #branch: string;
  readonly #schema: SchemaPlan;
  /** Schema positions in order of field names, with the text in front of each value. */
  readonly #members: readonly { readonly index: number; readonly prefix: string }[];
  readonly #cache = new Map<string, BranchKey>();

  constructor(branch: string, schema: SchemaPlan) {
    this.#branch = branch;
    this.#schema = schema;
    this.#members = schema.fields
      .map((field, index) => ({ index, name: field.name }))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .map(({ index, name }, position) => ({
        index,
        prefix: `${position === 0 ? '' : ','}${JSON.stringify(name)}:`,
      }));
  }

  /** Sorts the rows of a batch of the key schema by their keys, in order of first appearance. */
  group(keys: RecordBatch): BranchGroup[] {
    const rowsOf = new Map<string, number[]>();
    for (let row = 0; row < keys.rowCount; row += 1) {
      const text = this.#text(keys, row);
      const rows = rowsOf.get(text);
      if (rows === undefined) rowsOf.set(text, [row]);
      else rows.push(row);
    }
    return Array.from(rowsOf, ([text, rows]) => ({
      key: this.#key(text, keys, rows[0] ?? 0),
      rows: Int32Array.from(rows),
    }));
  }

  #key(text: string, keys: RecordBatch, row: number): BranchKey {
    const known = this.#cache.get(text);
    if (known !== undefined) return known;
    if (this.#cache.size >= CACHED_KEYS_MAX) this.#cache.clear();
    const key = new BranchKey({
      branch: this.#branch,
      text,
      shownText: rowJson(keys, row, { maskSensitive: true }),
      row: keys.take(Int32Array.of(row)),
    });
    this.#cache.set(text, key);
    return key;
  }

  #text(keys: RecordBatch, row: number): string {
    let text = '{';
    for (const { index, prefix } of this.#members) {
      const column = keys.columns[index];
      const field = this.#schema.fields[index];
      assert(column !== undefined && field !== undefined, 'a key batch has its schema');
      text += prefix + valueJson(readValue(column, row), field.type);
    }
    return `${text}}`;
  }
}
