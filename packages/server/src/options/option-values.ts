import {
  nameDefect,
  printClockDuration,
  type ReadResult,
  readByteSize,
  readDuration,
} from '@nervix/model';
import { type ListenAddress, printListenAddress, readListenAddress } from './listen-address.js';

/** How the text of an option becomes a value and back. */
export interface OptionType<T> {
  /** Placeholder in the help text. */
  readonly placeholder: string;
  /** The words to choose from, when there are only a few. */
  readonly choices?: readonly string[];
  read(text: string): ReadResult<T>;
  print(value: T): string;
}

/** Longest delay that a timer can wait. */
const TIMER_MS_MAX = 2_147_483_647;
const NANOS_PER_MS = 1_000_000;

function refused(reason: string): { kind: 'refused'; reason: string } {
  return { kind: 'refused', reason };
}

/** `host:port`. */
export const addressType: OptionType<ListenAddress> = {
  placeholder: 'host:port',
  read: readListenAddress,
  print: printListenAddress,
};

/** A duration in milliseconds as {@link durationType} reads it, or 0 for never. */
export const intervalType: OptionType<number> = {
  placeholder: 'duration',
  read(text) {
    if (text === '0') return { kind: 'ok', value: 0 };
    const result = readDuration(text);
    const isNever = result.kind === 'ok' && result.value === 0n;
    return isNever ? { kind: 'ok', value: 0 } : durationType.read(text);
  },
  print: (ms) => (ms === 0 ? '0' : durationType.print(ms)),
};

/** A positive duration in milliseconds, at most as long as a timer can wait. */
export const durationType: OptionType<number> = {
  placeholder: 'duration',
  read(text) {
    const result = readDuration(text);
    if (result.kind === 'refused') return result;
    if (result.value === 0n) return refused('it must be longer than zero');
    const ms = Number(result.value) / NANOS_PER_MS;
    return ms > TIMER_MS_MAX ? refused('it must be at most 24 days') : { kind: 'ok', value: ms };
  },
  print: (ms) => printClockDuration(BigInt(Math.round(ms * NANOS_PER_MS))),
};

/** A size in bytes with or without a unit, from `min` to `max`. */
export function bytesType(max: number = Number.MAX_SAFE_INTEGER, min = 1): OptionType<number> {
  return {
    placeholder: 'size',
    read(text) {
      const result = readByteSize(/^[0-9]+$/.test(text) ? `${text}B` : text);
      if (result.kind === 'refused') return result;
      if (result.value < BigInt(min)) {
        return refused(`it must be at least ${min === 1 ? '1 byte' : `${min} bytes`}`);
      }
      if (result.value > BigInt(max)) return refused(`it must be at most ${max} bytes`);
      return { kind: 'ok', value: Number(result.value) };
    },
    print: String,
  };
}

/** A whole number within bounds. */
export function countType(min: number, max: number): OptionType<number> {
  return {
    placeholder: 'number',
    read(text) {
      const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max
        ? { kind: 'ok', value }
        : refused(`a whole number from ${min} to ${max} is expected`);
    },
    print: String,
  };
}

/** One of a few words. */
export function choiceType<const T extends string>(...choices: readonly T[]): OptionType<T> {
  return {
    placeholder: choices.join('|'),
    choices,
    read(text) {
      const value = choices.find((choice) => choice === text);
      return value === undefined
        ? refused(`one of ${choices.join(', ')} is expected`)
        : { kind: 'ok', value };
    },
    print: (value) => value,
  };
}

/** A name of a node, cluster or user. */
export const nameType: OptionType<string> = {
  placeholder: 'name',
  read(text) {
    const defect = nameDefect(text);
    return defect === undefined ? { kind: 'ok', value: text } : refused(defect);
  },
  print: (value) => value,
};

/** Text that is not empty. */
export function textType(placeholder: string): OptionType<string> {
  return {
    placeholder,
    read: (text) =>
      text.length === 0 ? refused('it must not be empty') : { kind: 'ok', value: text },
    print: (value) => value,
  };
}

/** A switch: the bare flag means true. */
export const switchType: OptionType<boolean> = {
  placeholder: '',
  read(text) {
    if (text === 'true' || text === '1') return { kind: 'ok', value: true };
    if (text === 'false' || text === '0') return { kind: 'ok', value: false };
    return refused('true or false is expected');
  },
  print: String,
};
