const encoder = new TextEncoder();
const SHORT_TEXT = 24;

/** Whether the host has buffers, which decode ranges without a view for each; browsers have not. */
const HAS_BUFFERS = typeof Buffer === 'function';
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes read last, and the host's buffer of them. */
let viewed: Uint8Array | undefined;
let view: Buffer | undefined;

/** Text of valid UTF-8 bytes. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT_TEXT) {
    let text = '';
    let index = start;
    for (; index < end; index += 1) {
      const byte = bytes[index] as number;
      if (byte >= 128) break;
      text += String.fromCharCode(byte);
    }
    if (index === end) return text;
  }
  if (!HAS_BUFFERS) return decoder.decode(bytes.subarray(start, end));
  if (bytes !== viewed || view === undefined) {
    viewed = bytes;
    view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return view.toString('utf8', start, end);
}

/** UTF-8 bytes of a text; lone surrogates, which no STRING can hold, would become U+FFFD. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Writes the text at `at`; the target must have three bytes of room for every UTF-16 unit. */
export function encodeTextInto(text: string, target: Uint8Array, at: number): number {
  return encoder.encodeInto(text, at === 0 ? target : target.subarray(at)).written;
}

/** Order of two byte ranges: negative, zero or positive; a prefix is smaller. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Order of two texts by code points, which is the order of their UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) {
      const isLeftSurrogate = leftUnit >= 0xd800 && leftUnit <= 0xdfff;
      const isRightSurrogate = rightUnit >= 0xd800 && rightUnit <= 0xdfff;
      if (isLeftSurrogate !== isRightSurrogate) return isLeftSurrogate ? 1 : -1;
      return leftUnit - rightUnit;
    }
  }
  return left.length - right.length;
}
