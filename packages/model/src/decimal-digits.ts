/** Digits of a number, or of its fraction, that are read; nothing that is measured needs as many. */
export const DIGITS_MAX = 64;

/** Why a fraction of more digits is refused. */
export const FRACTION_DEFECT: string = `its fraction has more than ${DIGITS_MAX} digits`;

/**
 * The whole number that digits spell; undefined for one of more than {@link DIGITS_MAX} digits,
 * which is never read: that takes time by the square of their number.
 */
export function wholeNumber(digits: string): bigint | undefined {
  const significant = digits.length > DIGITS_MAX ? digits.replace(/^0+/, '') : digits;
  return significant.length > DIGITS_MAX ? undefined : BigInt(significant);
}

/** A unit as a refusal quotes it. */
export function quotedUnit(unit: string): string {
  return unit.length > DIGITS_MAX ? `'${unit.slice(0, DIGITS_MAX)}…'` : `'${unit}'`;
}
