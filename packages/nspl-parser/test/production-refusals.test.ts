import { describe, test } from 'vitest';
import { expectRefusal } from './support/reading.ts';
import { PRODUCTION_REFUSALS } from './support/tables/production-refusals.ts';

/** What a message calls a token. */
function named(token: string): string {
  if (token === '') return 'end of input';
  return token.startsWith("'") ? `"${token.slice(1, -1)}"` : token;
}

describe.each(PRODUCTION_REFUSALS)('NSPL $title', ({ head, rows }) => {
  test.each(rows)(`${head} %s`, (rest, expected, found) => {
    const text = `${head} ${rest}`.trimStart();
    expectRefusal(text, `expected ${expected}, found ${named(found)}`, found);
  });
});
