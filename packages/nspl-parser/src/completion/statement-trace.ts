import type { IToken } from 'chevrotain';
import type { Taken } from '../expectations.js';

/** A terminal of a statement as it was read. */
export interface TracedWord {
  /** Label of the slot it fills; of a keyword its spelling or that of the phrase it begins. */
  readonly label: string;
  /** The word as written. */
  readonly text: string;
  /** The two words in front of it in capitals, such as `SEND TO`. */
  readonly lead: string;
}

/**
 * How the tokens of a statement were read, seen from the cursor. It tells a keyword from a name that
 * is spelled like one, which the tokens alone do not.
 */
export class StatementTrace {
  readonly #tokens: readonly IToken[];
  readonly #last: Taken | undefined;

  constructor(tokens: readonly IToken[], last: Taken | undefined) {
    this.#tokens = tokens;
    this.#last = last;
  }

  /** The words before the cursor, the nearest first. */
  *words(): Iterable<TracedWord> {
    for (let taken = this.#last; taken !== undefined; taken = taken.before) {
      const { label, position } = taken;
      const text = this.#tokens[position]?.image ?? '';
      const lead = this.#tokens.slice(Math.max(0, position - 2), position);
      yield { label, text, lead: lead.map(({ image }) => image.toUpperCase()).join(' ') };
    }
  }

  /** The nearest word before the cursor that meets a condition. */
  nearest(condition: (word: TracedWord) => boolean): TracedWord | undefined {
    for (const word of this.words()) if (condition(word)) return word;
    return undefined;
  }

  /** The first word of the statement that meets a condition. */
  first(condition: (word: TracedWord) => boolean): TracedWord | undefined {
    let found: TracedWord | undefined;
    for (const word of this.words()) if (condition(word)) found = word;
    return found;
  }
}
