import { RowOutput } from '../row-output.js';
import { halfBits } from './cbor-float.js';
import { MAJOR } from './cbor-scanner.js';

const WORD = 4_294_967_296;

/** Writer of CBOR items in preferred serialization (RFC 8949 §4.1): nothing longer than it need be. */
export class CborOutput extends RowOutput {
  readonly #double = new DataView(new ArrayBuffer(8));

  /** @param argument below 2^53 */
  head(major: number, argument: number): void {
    if (argument >= WORD) {
      this.wideHead(major, Math.floor(argument / WORD), argument % WORD);
      return;
    }
    this.ensure(5);
    const kind = major << 5;
    if (argument < 24) {
      this.bytes[this.length++] = kind | argument;
    } else if (argument < 256) {
      this.bytes[this.length++] = kind | 24;
      this.bytes[this.length++] = argument;
    } else if (argument < 65_536) {
      this.bytes[this.length++] = kind | 25;
      this.bytes[this.length++] = argument >>> 8;
      this.bytes[this.length++] = argument;
    } else {
      this.bytes[this.length++] = kind | 26;
      this.word(argument);
    }
  }

  /** A head whose argument needs 64 bits. */
  wideHead(major: number, high: number, low: number): void {
    this.byte((major << 5) | 27);
    this.word(high);
    this.word(low);
  }

  integer(value: number | bigint): void {
    if (typeof value === 'number') {
      if (value >= 0) this.head(MAJOR.unsigned, value);
      else this.head(MAJOR.negative, -1 - value);
      return;
    }
    const magnitude = value >= 0n ? value : -1n - value;
    const major = value >= 0n ? MAJOR.unsigned : MAJOR.negative;
    if (magnitude <= Number.MAX_SAFE_INTEGER) this.head(major, Number(magnitude));
    else this.wideHead(major, Number(magnitude >> 32n), Number(magnitude & 0xffffffffn));
  }

  /** The shortest float that is the value exactly. */
  float(value: number): void {
    const half = halfBits(value);
    if (half >= 0) {
      this.ensure(3);
      this.bytes[this.length++] = 0xf9;
      this.bytes[this.length++] = half >>> 8;
      this.bytes[this.length++] = half;
    } else if (Math.fround(value) === value) {
      this.#double.setFloat32(0, value);
      this.byte(0xfa);
      this.word(this.#double.getUint32(0));
    } else {
      this.#double.setFloat64(0, value);
      this.byte(0xfb);
      this.word(this.#double.getUint32(0));
      this.word(this.#double.getUint32(4));
    }
  }

  /** Four bytes, the highest first. */
  word(value: number): void {
    this.ensure(4);
    this.bytes[this.length++] = value >>> 24;
    this.bytes[this.length++] = value >>> 16;
    this.bytes[this.length++] = value >>> 8;
    this.bytes[this.length++] = value;
  }

  asciiText(text: string): void {
    this.head(MAJOR.text, text.length);
    this.ascii(text);
  }
}
