import type { IToken } from 'chevrotain';
import { Lexer } from '../../src/lexer.ts';
import { type Frontier, labelsOf, takes } from './grammar-positions.ts';

/** A text whose last token cannot stand there, and what is said about it. */
export interface NegativeCase {
  readonly text: string;
  readonly message: string;
  readonly pointed: string;
}

/** Tokens to put where they cannot stand, with what messages call them. */
const STRAYS: readonly (readonly [text: string, found: string])[] = [
  ['::', '::'],
  ['Stray', 'Stray'],
  ["'stray é'", '"stray é"'],
  ['`stray`', '`stray`'],
  ['7.5', '7.5'],
  ['monotonic', 'monotonic'],
  [']', ']'],
];
/** No part that the expression reader reads begins or goes on with this one. */
export const [NEVER_TAKEN] = STRAYS as readonly [(typeof STRAYS)[number]];

export function tokensOf(text: string): readonly IToken[] {
  return new Lexer(text).next()?.tokens ?? [];
}

/** What is said where a token stands behind a text that nothing takes there. */
export function wrongToken(text: string, frontier: Frontier, variant: number): NegativeCase {
  const [pointed, quoted] = strayAt(frontier, variant);
  const found = isPassword(text, pointed) ? '"<redacted>"' : quoted;
  const expected = labelsBehind(text, frontier).join(' | ');
  return { text: text + pointed, message: `expected ${expected}, found ${found}`, pointed };
}

/** Labels of what may stand behind a text; of two the number of a sink's QOS leaves one. */
export function labelsBehind(text: string, frontier: Frontier): readonly string[] {
  const labels = labelsOf(frontier);
  const qos = / MODE QOS (\d) $/u.exec(text)?.[1];
  if (qos === undefined) return labels;
  return labels.filter((label) => label === (qos === '0' ? 'RETRY POLICY' : 'ACK'));
}

/** Whether a stray may be a password that somebody wrote in a wrong way: those are not quoted. */
function isPassword(text: string, stray: string): boolean {
  if (!/\b(?:CREATE|ALTER)(?: IF NOT EXISTS)? USER \S+ /u.test(text)) return false;
  return stray.startsWith("'") || (text.endsWith('PASSWORD ') && /\w/u.test(stray));
}

/** What is said where a statement ends too early. */
export function earlyEnd(text: string, frontier: Frontier): NegativeCase {
  const message = `expected ${labelsOf(frontier).join(' | ')}, found end of input`;
  return { text: `${text};`, message, pointed: '' };
}

function strayAt({ terminals }: Frontier, variant: number): (typeof STRAYS)[number] {
  for (let offset = 0; offset < STRAYS.length; offset += 1) {
    const stray = STRAYS[(variant + offset) % STRAYS.length] ?? NEVER_TAKEN;
    const [token] = tokensOf(stray[0]);
    const isTaken = terminals.some(
      ({ terminal, isPart }) => isPart || (token !== undefined && takes(terminal, token)),
    );
    if (!isTaken) return stray;
  }
  return NEVER_TAKEN;
}
