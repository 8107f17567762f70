const scratch = new DataView(new ArrayBuffer(8));

/** Value of the bits of a half-precision float (RFC 8949 appendix D). */
export function readHalf(bits: number): number {
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits >>> 15 === 1 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Value of the bits of a single-precision float. */
export function readSingleBits(bits: number): number {
  scratch.setUint32(0, bits);
  return scratch.getFloat32(0);
}

/** Value of the bits of a double. */
export function readDoubleBits(high: number, low: number): number {
  scratch.setUint32(0, high);
  scratch.setUint32(4, low);
  return scratch.getFloat64(0);
}

/** Bits of a value as a half-precision float, or -1 when that cannot hold it exactly. */
export function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === 0) return sign;
  if (magnitude === Number.POSITIVE_INFINITY) return sign | 0x7c00;
  if (magnitude > 65_504) return -1;
  const subnormal = magnitude * 2 ** 24;
  if (subnormal < 1024) return Number.isInteger(subnormal) ? sign | subnormal : -1;
  scratch.setFloat64(0, magnitude);
  const exponent = ((scratch.getUint32(0) >>> 20) & 2047) - 1023;
  const fraction = (magnitude / 2 ** exponent - 1) * 1024;
  return Number.isInteger(fraction) ? sign | ((exponent + 15) << 10) | fraction : -1;
}
