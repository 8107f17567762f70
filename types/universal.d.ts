// The few globals outside ECMAScript that exist unchanged in Node, browsers and workers, and that
// hold no clock, no randomness and no input or output. Pure packages compile against these alone.

interface TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
declare var TextEncoder: { new (): TextEncoder };

interface TextDecoder {
  decode(input?: ArrayBufferView | ArrayBufferLike, options?: { stream?: boolean }): string;
}
declare var TextDecoder: {
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};
