import { readDuration } from '@nervix/model';
import { InvalidArgumentError } from 'commander';

/** A share, 0 to 1. */
export function readRate(text: string): number {
  const rate = Number(text);
  if (text.trim() === '' || !(rate >= 0 && rate <= 1)) {
    throw new InvalidArgumentError('batch sample rate must be between 0.0 and 1.0');
  }
  return rate;
}

/** A whole number. */
export function readCount(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('it must be a whole number');
  return Number(text);
}

/** What names a command or an upload for all its attempts. */
export function readReference(text: string): string {
  if (/^[A-Za-z0-9._-]{1,128}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'it must be 1 to 128 letters, digits, dots, dashes or underscores',
  );
}

/** A duration, in milliseconds. */
export function readTimeout(text: string): number {
  const duration = readDuration(text);
  if (duration.kind === 'refused') throw new InvalidArgumentError(duration.reason);
  const milliseconds = Number(duration.value) / 1e6;
  if (milliseconds <= 0) throw new InvalidArgumentError('it must be longer than nothing');
  return milliseconds;
}
