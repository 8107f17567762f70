import { CLIENT_ERROR_CODES } from '@nervix/client';
import { RAFT_ERROR_CODES } from '@nervix/consensus';
import { PLAN_CODES, TRANSACTION_PLAN_CODES } from '@nervix/planner';
import { ERROR_CODES } from '@nervix/protocol';
import { SCHEDULE_ERROR_CODES } from '@nervix/scheduler';
import { expect, test } from 'vitest';
import { readTreeFile } from './support/tree.js';

/** First cells of the table below a heading, in order. */
function codesUnder(heading: string): string[] {
  const document = readTreeFile('docs/reference/errors.md');
  const start = document.indexOf(`## ${heading}`);
  const end = document.indexOf('\n## ', start + 3);
  const section = document.slice(start, end < 0 ? undefined : end);
  return [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code ?? '').sort();
}

/** Every text of the form PREFIX_… in the package's error table. */
function codesIn(file: string, prefix: string): string[] {
  const found = readTreeFile(file).match(new RegExp(`\\b${prefix}_[A-Z_]+\\b`, 'g')) ?? [];
  return [...new Set(found)].sort();
}

test.each<[string, readonly string[]]>([
  ['HTTP API', Object.keys(ERROR_CODES)],
  ['Client', Object.keys(CLIENT_ERROR_CODES)],
  ['Planner', [...PLAN_CODES, ...TRANSACTION_PLAN_CODES]],
  ['Scheduler', SCHEDULE_ERROR_CODES],
  ['Consensus', RAFT_ERROR_CODES.map(({ code }) => code)],
  [
    'Runtime',
    codesIn('packages/runtime/src/errors.ts', 'RUNTIME').filter(
      (code) => code !== 'RUNTIME_ERROR_CODES',
    ),
  ],
  [
    'Parser',
    ['diagnostics.ts', 'printer/unprintable-error.ts'].flatMap((file) =>
      codesIn(`packages/nspl-parser/src/${file}`, 'NSPL'),
    ),
  ],
])('CL-109: the reference lists the codes of %s, all of them and no other', (heading, codes) => {
  expect(codesUnder(heading)).toEqual([...codes].sort());
});

test('CL-109: statuses in the reference are those that the API answers with', () => {
  const document = readTreeFile('docs/reference/errors.md');
  for (const [code, { httpStatus, category }] of Object.entries(ERROR_CODES)) {
    expect(document).toContain(`| \`${code}\` | ${httpStatus} | ${category} |`);
  }
});
