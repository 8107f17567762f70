import { type DataType, printDatetime, shortestFloat } from '@nervix/model';

/**
 * JSON text of a float or an instant, in ASCII.
 *
 * @returns undefined for a float that is not finite, which JSON cannot express
 */
export function valueText(type: DataType, value: number | bigint): string | undefined {
  if (typeof value === 'bigint') return `"${printDatetime(value)}"`;
  if (!Number.isFinite(value)) return undefined;
  return Object.is(value, -0) ? '-0.0' : shortestFloat(value, type === 'F32');
}
