import type { ConfigEntry } from '../models/config.js';

/** `{'key' = 'value', …}` in declaration order; which keys exist is judged where they are used. */
export type Settings = readonly ConfigEntry[];
