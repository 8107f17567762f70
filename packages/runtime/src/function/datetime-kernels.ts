import type { TypedCall } from '@nervix/model';
import {
  addToDate,
  binDate,
  dateDifference,
  datePart,
  truncateDate,
} from '../datetime/date-arithmetic.js';
import { floorDivide, isInRange, UNIT_NANOS } from '../datetime/instant.js';
import { type Disambiguation, datetimeReader } from '../datetime/read-datetime.js';
import { TimeZone } from '../datetime/time-zone.js';
import { datetimeWriter } from '../datetime/write-datetime.js';
import { overflow } from '../program/row-fault.js';
import { constantText, type KernelFamily } from './kernel.js';

type Count = number | bigint;

/** Kernels of the functions over DATETIME; their units, zones and formats are constants. */
export const DATETIME_KERNELS: KernelFamily = {
  date_part: (call) => {
    const part = wordOf(call, 0);
    const zone = zoneOf(call, 2);
    return ([, instant]) => BigInt(datePart(part, instant as bigint, zone));
  },
  date_trunc: (call) => {
    const unit = wordOf(call, 0);
    const zone = zoneOf(call, 2);
    return ([, instant]) => inRange(truncateDate(unit, instant as bigint, zone), 'date_trunc');
  },
  date_bin: (call) => {
    const unit = UNIT_NANOS[wordOf(call, 0)] ?? 1n;
    return ([, width, instant, origin]) =>
      inRange(
        binDate(BigInt(width as Count) * unit, instant as bigint, origin as bigint),
        'date_bin',
      );
  },
  date_add: (call) => {
    const unit = wordOf(call, 0);
    const zone = zoneOf(call, 3);
    return ([, count, instant]) =>
      inRange(addToDate(unit, BigInt(count as Count), instant as bigint, zone), 'date_add');
  },
  date_diff: (call) => {
    const unit = wordOf(call, 0);
    const zone = zoneOf(call, 3);
    return ([, start, end]) => {
      const units = dateDifference(unit, start as bigint, end as bigint, zone);
      if (!isInRange(units)) throw overflow('date_diff result does not fit I64');
      return units;
    };
  },
  to_unix: (call) => {
    const unit = UNIT_NANOS[wordOf(call, 0)] ?? 1n;
    return ([, instant]) => floorDivide(instant as bigint, unit);
  },
  from_unix: (call) => {
    const unit = UNIT_NANOS[wordOf(call, 0)] ?? 1n;
    return ([, count]) => inRange(BigInt(count as Count) * unit, 'from_unix');
  },
  format_datetime: (call) => {
    const write = datetimeWriter(wordOf(call, 0), zoneOf(call, 2));
    return ([, instant]) => write(instant as bigint);
  },
  parse_datetime: (call) => {
    const zone = constantText(call, 2) === undefined ? null : zoneOf(call, 2);
    const disambiguation = (constantText(call, 3) ?? 'reject') as Disambiguation;
    const read = datetimeReader(wordOf(call, 0), zone, disambiguation);
    return ([, text]) => read(text as string);
  },
};

function wordOf(call: TypedCall, index: number): string {
  return constantText(call, index) ?? '';
}

function zoneOf(call: TypedCall, index: number): TimeZone {
  return TimeZone.of(constantText(call, index) ?? 'UTC');
}

function inRange(instant: bigint | undefined, name: string): bigint {
  if (instant !== undefined && isInRange(instant)) return instant;
  throw overflow(`${name} result is outside the DATETIME range`);
}
