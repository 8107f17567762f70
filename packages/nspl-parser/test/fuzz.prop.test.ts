import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectationsOf } from '../src/expectations.ts';
import { KEYWORDS, parseStatement, printStatement } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { STATEMENT_RULE, statementParser } from '../src/parser.ts';
import { statement } from './support/arbitraries.ts';
import { survive } from './support/survive.ts';

/** Inputs of each of the five properties; `FUZZ_RUNS=200000` is the long mode of a million. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 4_000);
const timeout = Math.max(60_000, numRuns * 60);

const punctuation = '!= >= <= :: { } [ ] ( ) , ; : . - = > < + * / %'.split(' ');
const literals = ["'a'", '"b"', '$$c$$', '`d e`', '`f`', '0', '12', '1.5', '1e3', '// x\n'];
const word = fc.oneof(
  fc.constantFrom(...KEYWORDS),
  fc.constantFrom(...punctuation),
  fc.constantFrom(...literals),
  fc.constantFrom('x', 'message.a', 'relay_state.r.f', 'ms', 'KiB'),
);

test('NSPL 10: random tokens are read or refused, never thrown at', { timeout }, () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => survive(words.join(' '))),
    { numRuns },
  );
});

test('NSPL 10: random text and bytes are read or refused', { timeout }, () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => String.fromCharCode(...bytes)),
    fc.string({ unit: fc.constantFrom('$', 'a', "'", '"', '`', '\n', '/', '\ud800', '\udc00') }),
  );
  fc.assert(fc.property(anything, survive), { numRuns });
});

test('NSPL 10: cut and mangled statements are read or refused', { timeout }, () => {
  const mangled = fc
    .tuple(statement, fc.nat(), fc.nat(), fc.option(word))
    .map(([original, from, length, inserted]) => {
      const text = printStatement(original, { withSecrets: true });
      const start = from % (text.length + 1);
      const end = Math.min(text.length, start + (length % 12));
      return `${text.slice(0, start)} ${inserted ?? ''} ${text.slice(end)}`;
    });
  fc.assert(fc.property(mangled, survive), { numRuns });
});

test('NSPL 10: statements with words exchanged are read or refused', { timeout }, () => {
  const exchanged = fc
    .tuple(statement, statement, fc.nat(), fc.nat())
    .map(([one, other, left, right]) => {
      const words = printStatement(one).split(' ');
      const others = printStatement(other).split(' ');
      words[left % words.length] = others[right % others.length] ?? '';
      return words.join(' ');
    });
  fc.assert(fc.property(exchanged, survive), { numRuns });
});

test('NSPL 10: the walk for expectations accepts what the parser accepts', { timeout }, () => {
  const start = statementParser().host.recorded()[STATEMENT_RULE]!;
  const truncated = fc.tuple(statement, fc.nat()).map(([original, cut]) => {
    const lexer = new Lexer(printStatement(original, { withSecrets: true }));
    const tokens = lexer.next()!.tokens;
    return tokens.slice(0, cut % (tokens.length + 1));
  });
  fc.assert(
    fc.property(truncated, (tokens) => {
      const text = tokens.map((token) => token.image).join(' ');
      const { isComplete, labels } = expectationsOf(start, tokens);
      const isRead = parseStatement(text).kind === 'parsed';
      expect(isComplete).toBe(isRead);
      expect(new Set(labels).size).toBe(labels.length);
    }),
    { numRuns },
  );
});
