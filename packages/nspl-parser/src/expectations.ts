import {
  Alternation,
  Alternative,
  type IProduction,
  type IToken,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  type Rule as RuleNode,
  Terminal,
  type TokenType,
} from 'chevrotain';
import { ExpressionReader } from './expression/expression-reader.js';
import { ParseFailure } from './failure.js';
import { slotOf } from './grammar/expression.js';
import { isHidden } from './grammar/grammar-host.js';
import { NodeSpans } from './spans.js';
import { END_TOKEN, Semicolon } from './tokens.js';

/** What could have stood at the furthest place that any reading of the tokens reached. */
export interface Expectations {
  /** Index of that token; the number of tokens when all were read. */
  readonly position: number;
  /** Labels in grammar order without repetition. */
  readonly labels: readonly string[];
  /** A part's own verdict at that place, which goes before the labels. */
  readonly failure: ParseFailure | undefined;
  /** Whether the tokens are a whole statement. */
  readonly isComplete: boolean;
}

/** What remains to be read: the rest of a sequence, then what encloses it. */
interface Rest {
  readonly sequence: readonly IProduction[];
  readonly index: number;
  readonly outer: Rest | undefined;
  /** The repetition whose body ends with this sequence; it may begin again. */
  readonly loop: IProduction | undefined;
}

/** A terminal that may stand next and what remains behind it. */
interface Step {
  readonly terminal: Terminal;
  readonly rest: Rest;
}

interface Frontier {
  readonly steps: Step[];
  isComplete: boolean;
}

/** Readings followed at once; the grammar needs fewer than ten, this bounds a mistake in it. */
const READINGS_MAX = 128;

/**
 * Follows every reading of a token sequence through the recorded grammar. It runs only when a
 * statement has been refused, or for completion, and looks at each token once per reading.
 */
export function expectationsOf(start: RuleNode, tokens: readonly IToken[]): Expectations {
  return new Walk(start, tokens).run();
}

class Walk {
  readonly #tokens: readonly IToken[];
  readonly #reader = new ExpressionReader();
  readonly #spans = new NodeSpans();
  /** Readings by the index of the token they stand before. */
  readonly #agenda = new Map<number, Rest[]>();
  #furthest = -1;
  #labels = new Set<string>();
  #failure: ParseFailure | undefined;

  constructor(start: RuleNode, tokens: readonly IToken[]) {
    this.#tokens = tokens;
    const rest: Rest = { sequence: start.definition, index: 0, outer: undefined, loop: undefined };
    this.#agenda.set(0, [rest]);
  }

  run(): Expectations {
    let isComplete = false;
    for (let position = 0; position <= this.#tokens.length; position += 1) {
      const readings = this.#agenda.get(position);
      if (readings === undefined) continue;
      this.#agenda.delete(position);
      const frontier: Frontier = { steps: [], isComplete: false };
      for (const rest of readings) expand(rest, frontier);
      this.#follow(frontier, position);
      isComplete = position === this.#tokens.length && frontier.isComplete;
      if (frontier.isComplete) this.#expect(Semicolon.LABEL ?? ';', position);
    }
    const labels = [...this.#labels];
    return { position: this.#furthest, labels, failure: this.#failure, isComplete };
  }

  #follow({ steps }: Frontier, position: number): void {
    const token = this.#tokens[position] ?? END_TOKEN;
    for (const { terminal, rest } of steps) {
      const slot = slotOf(terminal.terminalType);
      const label = terminal.label ?? terminal.terminalType.LABEL ?? terminal.terminalType.name;
      if (slot !== undefined) this.#read(slot.read, { label, rest, position });
      else if (matches(token, terminal.terminalType)) this.#schedule(rest, position + 1);
      else this.#expect(label, position);
    }
  }

  /** Lets the expression reader read a part that begins at `position`. */
  #read(
    read: (reader: ExpressionReader) => unknown,
    at: { readonly label: string; readonly rest: Rest; readonly position: number },
  ): void {
    this.#reader.enter(this.#tokens, at.position, this.#spans);
    try {
      read(this.#reader);
      this.#schedule(at.rest, this.#reader.position);
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error;
      const isFirst = error.first === at.position && error.expected.length > 0;
      if (isFirst) this.#expect(at.label, at.position);
      else this.#fail(error);
    }
  }

  #schedule(rest: Rest, position: number): void {
    const readings = this.#agenda.get(position);
    if (readings === undefined) this.#agenda.set(position, [rest]);
    else if (readings.length < READINGS_MAX) readings.push(rest);
  }

  #reach(position: number): boolean {
    if (position < this.#furthest) return false;
    if (position > this.#furthest) {
      this.#furthest = position;
      this.#labels = new Set();
      this.#failure = undefined;
    }
    return true;
  }

  #expect(label: string, position: number): void {
    if (this.#reach(position) && !isHidden(label)) this.#labels.add(label);
  }

  #fail(failure: ParseFailure): void {
    if (this.#reach(failure.first)) this.#failure ??= failure;
  }
}

function matches(token: IToken, type: TokenType): boolean {
  return (
    token.tokenTypeIdx === type.tokenTypeIdx ||
    type.categoryMatchesMap?.[token.tokenTypeIdx] === true
  );
}

/** Adds every terminal that may stand next, in grammar order. */
function expand(rest: Rest, frontier: Frontier): void {
  const { sequence, index, outer, loop } = rest;
  const production = sequence[index];
  if (production === undefined) {
    if (loop !== undefined) expand({ ...rest, index: 0 }, frontier);
    if (outer === undefined) frontier.isComplete = true;
    else expand(outer, frontier);
    return;
  }
  const after: Rest = { sequence, index: index + 1, outer, loop };
  const inside = (body: readonly IProduction[], repeated?: IProduction): Rest => ({
    sequence: body,
    index: 0,
    outer: after,
    loop: repeated,
  });
  if (production instanceof Terminal) {
    frontier.steps.push({ terminal: production, rest: after });
  } else if (production instanceof NonTerminal) {
    expand(inside(production.referencedRule.definition), frontier);
  } else if (production instanceof Alternation) {
    for (const alternative of production.definition) {
      if (alternative instanceof Alternative) expand(inside(alternative.definition), frontier);
    }
  } else if (production instanceof RepetitionMandatory) {
    expand(inside(production.definition, production), frontier);
  } else if (production instanceof Repetition || production instanceof Option) {
    const repeated = production instanceof Repetition ? production : undefined;
    expand(inside(production.definition, repeated), frontier);
    expand(after, frontier);
  }
}
