import { expect, test } from 'vitest';
import { STATEMENT_ENTRIES } from '../src/documentation.ts';
import { parseStatement } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';

/** Tokens that some place reads only to refuse what they begin. */
const READ_TO_BE_REFUSED = ['0', '5 MESSAGES', 'x', 'INHERIT', 'INVOKE', 'MAX'];
const TIMEOUT_MS = 120_000;

/** The text up to and including each of its tokens. */
function beginnings(text: string): string[] {
  const tokens = new Lexer(text).next()?.tokens ?? [];
  return tokens.map(({ startOffset, image }) => text.slice(0, startOffset + image.length));
}

test('NSPL 10: whatever stands at the end of any part of a statement, a refusal names what may stand there', {
  timeout: TIMEOUT_MS,
}, () => {
  const unnamed: string[] = [];
  const seen = new Set<string>();
  for (const { examples } of STATEMENT_ENTRIES) {
    for (const beginning of examples.flatMap(beginnings)) {
      for (const end of READ_TO_BE_REFUSED) {
        const text = `${beginning} ${end};`;
        if (seen.has(text)) continue;
        seen.add(text);
        const result = parseStatement(text);
        if (result.kind === 'parsed') continue;
        if (result.errors.some(({ message }) => message.includes('something else'))) {
          unnamed.push(text);
        }
      }
    }
  }
  expect(seen.size).toBeGreaterThan(10_000);
  expect(unnamed).toEqual([]);
});

test('NSPL 10: a step read to be refused is refused where it begins when it ends early', () => {
  const bound = 'WIDTH 10 MESSAGES STEP 10 MESSAGES 0';
  const result = parseStatement(`CREATE ATTACHED WINDOW PROCESSOR w FROM r ${bound};`);
  expect(result).toMatchObject({
    kind: 'refused',
    errors: [{ message: 'expected MAX | BRANCHED BY | UNBRANCHED, found 0' }],
  });
});
