import { dateOfDays, SECONDS_PER_DAY } from './civil-date.js';
import { type ClockType, readPosixRule, type Transition, type ZoneRule } from './posix-rule.js';
import { TIME_ZONES_1 } from './time-zones-1.js';
import { TIME_ZONES_2 } from './time-zones-2.js';
import { TIME_ZONES_3 } from './time-zones-3.js';

const OFFSET = /^([+-])([0-9]{2}):([0-9]{2})$/;
/** Further than any clock is from UTC, and than a change moves it. */
const REACH = 2 * SECONDS_PER_DAY;

/** The instants at which a clock shows a local time, in seconds since 1970. */
export interface LocalTime {
  /** In order: none where the time is skipped, more than one where it is repeated. */
  readonly instants: readonly number[];
  /** Offsets before and after the gap when the time is skipped. */
  readonly gap: { readonly before: number; readonly after: number } | null;
}

/** The clock of a zone: UTC, a fixed offset, or a zone of the IANA database. */
export class TimeZone {
  static readonly #known = new Map<string, TimeZone>();

  readonly name: string;
  /** Whether the clock never changes by definition, so that all days have 24 hours. */
  readonly isFixed: boolean;
  readonly #first: ClockType;
  readonly #transitions: readonly Transition[];
  readonly #rule: ZoneRule;
  readonly #years = new Map<number, readonly Transition[]>();

  private constructor(
    name: string,
    first: ClockType,
    listed: readonly Transition[],
    rule: ZoneRule | null,
  ) {
    this.name = name;
    this.isFixed = rule === null;
    this.#first = first;
    this.#transitions = listed;
    this.#rule = rule ?? { standard: first, transitionsOf: () => [] };
  }

  /**
   * The zone of a canonical name: `UTC`, `±HH:MM` or a name of the database in its own spelling.
   *
   * @throws Error for other names
   */
  static of(name: string): TimeZone {
    const known = TimeZone.#known.get(name);
    if (known !== undefined) return known;
    const zone = TimeZone.#fixed(name) ?? TimeZone.#listed(name);
    TimeZone.#known.set(name, zone);
    return zone;
  }

  static #fixed(name: string): TimeZone | undefined {
    if (name === 'UTC') return new TimeZone(name, { offset: 0, abbreviation: 'UTC' }, [], null);
    const match = OFFSET.exec(name);
    if (match === null) return undefined;
    const magnitude = Number(match[2]) * 3600 + Number(match[3]) * 60;
    const offset = match[1] === '-' ? -magnitude : magnitude;
    return new TimeZone(name, { offset, abbreviation: name }, [], null);
  }

  static #listed(name: string): TimeZone {
    const packed = packedZones().get(name);
    if (packed === undefined) throw new Error(`time zone '${name}' is not in the database`);
    const [types = '', steps = '', rule = ''] = packed.split('|');
    const clocks = types.split(',').map((type) => {
      const [offset = '0', abbreviation = ''] = type.split(' ');
      return { offset: Number(offset), abbreviation };
    });
    const [first = { offset: 0, abbreviation: 'UTC' }] = clocks;
    return new TimeZone(name, first, unpackSteps(steps, clocks), readPosixRule(rule));
  }

  /** What the clock shows at an instant, in seconds since 1970. */
  typeAt(instant: number): ClockType {
    return this.#latest(instant)?.type ?? this.#first;
  }

  /** The change that began what the clock shows at an instant; undefined for the first. */
  transitionBefore(instant: number): Transition | undefined {
    return this.#latest(instant);
  }

  /** The instants at which the clock shows a local time, in seconds since 1970. */
  instantsOf(local: number): LocalTime {
    const start = local - REACH;
    const changes = [
      { time: -Infinity, type: this.typeAt(start) },
      ...this.#between(start, local + REACH),
    ];
    const instants: number[] = [];
    let gap: LocalTime['gap'] = null;
    for (const [index, { time, type }] of changes.entries()) {
      const end = changes[index + 1]?.time ?? Infinity;
      const instant = local - type.offset;
      if (instant >= time && instant < end) instants.push(instant);
      const before = changes[index - 1]?.type.offset;
      if (before === undefined) continue;
      if (local >= time + before && local < time + type.offset)
        gap = { before, after: type.offset };
    }
    return { instants, gap };
  }

  #ruleYear(year: number): readonly Transition[] {
    let transitions = this.#years.get(year);
    if (transitions === undefined) {
      const last = this.#transitions.at(-1)?.time ?? -Infinity;
      transitions = this.#rule.transitionsOf(year).filter(({ time }) => time > last);
      this.#years.set(year, transitions);
    }
    return transitions;
  }

  #latest(instant: number): Transition | undefined {
    const last = this.#transitions.at(-1);
    if (last === undefined || instant >= last.time) {
      const { year } = dateOfDays(Math.floor(instant / SECONDS_PER_DAY));
      for (const each of [year + 1, year, year - 1]) {
        const found = this.#ruleYear(each).findLast(({ time }) => time <= instant);
        if (found !== undefined) return found;
      }
      return last;
    }
    let [low, high] = [0, this.#transitions.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#transitions[middle] as Transition).time <= instant) low = middle + 1;
      else high = middle;
    }
    return this.#transitions[low - 1];
  }

  /** Changes after one instant and up to another. */
  #between(start: number, end: number): readonly Transition[] {
    const { year } = dateOfDays(Math.floor(start / SECONDS_PER_DAY));
    const isIn = ({ time }: Transition): boolean => time > start && time <= end;
    const ruled = [year - 1, year, year + 1].flatMap((each) => this.#ruleYear(each));
    return [...this.#transitions.filter(isIn), ...ruled.filter(isIn)];
  }
}

let zones: ReadonlyMap<string, string> | undefined;

/** Packed text of each zone by name. */
function packedZones(): ReadonlyMap<string, string> {
  zones ??= new Map(
    [TIME_ZONES_1, TIME_ZONES_2, TIME_ZONES_3].flatMap((part) =>
      part.split(';').flatMap((entry) => {
        const bar = entry.indexOf('|');
        const packed = entry.slice(bar + 1);
        return entry
          .slice(0, bar)
          .split(' ')
          .map((name) => [name, packed] as const);
      }),
    ),
  );
  return zones;
}

/** Every zone of the database. */
export function timeZoneRuleNames(): Iterable<string> {
  return packedZones().keys();
}

const STEP = /(\.?)(-?[0-9a-z]+)([A-Z])/g;

/** Steps in minutes, or seconds behind a point, in base 36, each with a letter for the type. */
function unpackSteps(steps: string, clocks: readonly ClockType[]): readonly Transition[] {
  const transitions: Transition[] = [];
  let time = 0;
  for (const [, point, digits = '', letter = 'A'] of steps.matchAll(STEP)) {
    time += Number.parseInt(digits, 36) * (point === '' ? 60 : 1);
    const type = clocks[letter.charCodeAt(0) - 65];
    if (type !== undefined) transitions.push({ time, type });
  }
  return transitions;
}
