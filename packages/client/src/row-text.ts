import type { StreamRow } from '@nervix/protocol';
import { printExactJson } from './exact-json.js';

/**
 * One row as one line of text: the row's JSON object alone, or behind its branch key on a branched
 * relay.
 */
export function rowText({ row, key }: StreamRow): string {
  const payload = printExactJson(row);
  return key === undefined ? payload : `key=${printExactJson(key)} payload=${payload}`;
}
