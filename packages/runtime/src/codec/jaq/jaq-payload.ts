/** The values of a payload as JSON texts, or why it is none of its format. */
export type JaqValues =
  | { readonly kind: 'values'; readonly texts: readonly string[] }
  | {
      readonly kind: 'defect';
      readonly cause: string;
      /** Position of the value at fault, from 0. */
      readonly input: number;
    };

/** A format around programs: payloads to JSON values and back. */
export interface JaqPayload {
  /** The values of `bytes[start..end)`, which begins with no byte order mark. */
  read(bytes: Uint8Array, start: number, end: number): JaqValues;
  /** One JSON text as a payload; a text tells why it cannot be one. */
  write(json: string): Uint8Array<ArrayBuffer> | string;
  /** What a batch program made, as one payload; without this as {@link write}. */
  writeBatch?(json: string): Uint8Array<ArrayBuffer> | string;
  /** Several JSON texts as one payload, at least one. */
  writeAll(texts: readonly string[]): Uint8Array<ArrayBuffer> | string;
}
