import type { FormatPart } from '@nervix/model';
import { invalidArgument, overflow } from '../program/row-fault.js';
import { FormatReader } from './format-reader.js';
import { instantOf, isInRange } from './instant.js';
import { dateOf, secondsOfDay } from './read-fields.js';
import type { TimeZone } from './time-zone.js';
import { formatParts } from './write-datetime.js';

/** What becomes of a local time that a clock skips or shows twice. */
export type Disambiguation = 'reject' | 'earlier' | 'later' | 'compatible';

/**
 * Makes the reader of one format. Without a zone the format reads an offset or counts from 1970.
 * The reader throws a RowFault for texts that do not match, name no date, or no one instant.
 */
export function datetimeReader(
  format: string,
  zone: TimeZone | null,
  disambiguation: Disambiguation,
): (text: string) => bigint {
  const parts: readonly FormatPart[] = formatParts(format);
  return (text) => {
    const fields = new FormatReader(text).read(parts);
    const nanos = fields.nanos ?? 0;
    const ofDay = secondsOfDay(fields);
    if (fields.unix !== undefined) return inRange(fields.unix * 1_000_000_000n + BigInt(nanos));
    const local = dateOf(fields) * 86_400 + ofDay;
    const seconds =
      zone === null ? local - (fields.offset ?? 0) : resolve(local, zone, disambiguation);
    return inRange(instantOf(seconds, nanos));
  };
}

function inRange(instant: bigint): bigint {
  if (isInRange(instant)) return instant;
  throw overflow('parse_datetime result is outside the DATETIME range');
}

/** Seconds since 1970 of a local time. */
function resolve(local: number, zone: TimeZone, disambiguation: Disambiguation): number {
  const { instants, gap } = zone.instantsOf(local);
  const [first, ...others] = instants;
  if (first === undefined) {
    if (disambiguation === 'reject') {
      throw invalidArgument(`parse_datetime local time does not exist in ${zone.name}`);
    }
    const offset = disambiguation === 'earlier' ? gap?.after : gap?.before;
    return local - (offset ?? 0);
  }
  const last = others.at(-1);
  if (last === undefined) return first;
  if (disambiguation === 'reject') {
    throw invalidArgument(`parse_datetime local time is ambiguous in ${zone.name}`);
  }
  return disambiguation === 'later' ? last : first;
}
