// What the commands that run simulations share of their options.

import os from 'node:os';
import { parseArgs } from 'node:util';
import { BootstrapError } from './bootstrap.mjs';

/** Options of a simulation: the common ones, and `own` with their defaults. */
export function simOptions(args, own) {
  const common = { seeds: '200', from: '1', workers: String(os.availableParallelism()), ...own };
  const options = Object.fromEntries(
    Object.entries(common).map(([name, value]) => [name, { type: 'string', default: value }]),
  );
  const { values } = parseArgs({ args, options: { ...options, seed: { type: 'string' } } });
  const number = (name) => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= 1) return value;
    throw new BootstrapError(`--${name} takes a whole number from 1`);
  };
  return { values, number };
}
