export const U64_MAX = 18446744073709551615n;
export const U32_MAX = 4294967295n;

/** Digits of the largest number that is asked for; a number token has no leading zeros. */
const DIGITS_MAX = 20;

/**
 * Whether a text is a decimal integer from 0 to `max`, which has at most 64 bits. Its length is
 * looked at first: to convert digits takes time by the square of their number.
 */
export function isUnsigned(text: string, max: bigint): boolean {
  return text.length <= DIGITS_MAX && /^[0-9]+$/u.test(text) && BigInt(text) <= max;
}
