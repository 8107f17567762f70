import type { Steps } from '../steps.js';
import type { PlacementReport } from './placement-report.js';

const ENTRIES_A_STEP = 256;

/** A report as JSON text, as `JSON.stringify` writes it; the long lists are written in steps. */
export function* reportJsonSteps(report: PlacementReport): Steps<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(report)) {
    const text = Array.isArray(value) ? yield* listJson(value) : JSON.stringify(value);
    fields.push(`${JSON.stringify(name)}:${text}`);
    yield;
  }
  return `{${fields.join(',')}}`;
}

function* listJson(list: readonly unknown[]): Steps<string> {
  const parts: string[] = [];
  for (let start = 0; start < list.length; start += ENTRIES_A_STEP) {
    parts.push(JSON.stringify(list.slice(start, start + ENTRIES_A_STEP)).slice(1, -1));
    yield;
  }
  return `[${parts.join(',')}]`;
}
