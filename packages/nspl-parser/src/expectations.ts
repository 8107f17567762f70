import type { IToken, Rule as RuleNode, TokenType } from 'chevrotain';
import { ExpressionReader } from './expression/expression-reader.js';
import { hasSeparatedOperations } from './expression/operation-separator.js';
import { NESTING_MAX } from './expression/token-cursor.js';
import { ParseFailure } from './failure.js';
import { isHidden, type Slot } from './grammar/grammar-host.js';
import { GrammarState } from './grammar-states.js';
import { NodeSpans } from './spans.js';
import { Comma, END_TOKEN, Semicolon } from './tokens.js';

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
  /** The readings of all tokens; none when the tokens begin no statement. */
  readonly readings: readonly Reading[];
  /** The part that the expression reader had begun when the tokens ended. */
  readonly openPart: OpenPart | undefined;
}

/** A way to read the tokens. */
export interface Reading {
  readonly state: GrammarState;
  readonly taken: Taken | undefined;
}

/** The terminal read last and the way to it. */
export interface Taken {
  readonly label: string;
  /** Index of its first token. */
  readonly position: number;
  readonly before: Taken | undefined;
}

/** A part whose tokens are the beginning of an expression and end before it does. */
export interface OpenPart {
  readonly label: string;
  /** Index of its first token. */
  readonly position: number;
  /** What the expression reader wanted next. */
  readonly failure: ParseFailure;
  /** What stands before the part. */
  readonly taken: Taken | undefined;
}

/** Readings followed at once; the grammar needs fewer than ten, this bounds a mistake in it. */
const READINGS_MAX = 128;

/** Places kept of a grammar; nested types have any number of them. */
const STATES_MAX = 50_000;

const starts = new WeakMap<RuleNode, GrammarState>();

/** The place in front of what a rule reads, with what is known about the places behind it. */
function startOf(rule: RuleNode): GrammarState {
  let start = starts.get(rule);
  if (start === undefined || start.known > STATES_MAX) {
    start = GrammarState.start(rule);
    starts.set(rule, start);
  }
  return start;
}

/**
 * Follows every reading of a token sequence through the recorded grammar. It runs only when a
 * statement has been refused, or for completion, and looks at each token once per reading.
 */
export function expectationsOf(start: RuleNode, tokens: readonly IToken[]): Expectations {
  return new Walk(startOf(start), tokens).run();
}

/** What the expression reader made of a part: where it ends or why it does not; maybe both. */
interface PartResult {
  readonly end?: number;
  readonly failure?: ParseFailure;
}

/** Readings that stand before the same token; equal ones are followed once. */
type Readings = Map<GrammarState, Taken | undefined>;

class Walk {
  readonly #tokens: readonly IToken[];
  readonly #reader = new ExpressionReader();
  readonly #spans = new NodeSpans();
  /** By the index of the token they stand before. */
  readonly #agenda = new Map<number, Readings>();
  /** Parts that the reader read at the place last visited. */
  #parts = new Map<Slot<unknown>, PartResult>();
  #failure: ParseFailure | undefined;
  #openPart: OpenPart | undefined;

  constructor(start: GrammarState, tokens: readonly IToken[]) {
    this.#tokens = tokens;
    this.#agenda.set(0, new Map([[start, undefined]]));
  }

  run(): Expectations {
    let furthest = 0;
    let last: Readings = new Map();
    for (let position = 0; position <= this.#tokens.length; position += 1) {
      const readings = this.#agenda.get(position);
      if (readings === undefined) continue;
      this.#agenda.delete(position);
      if (this.#parts.size > 0) this.#parts = new Map();
      for (const [state, before] of readings) this.#follow(state, position, before);
      furthest = position;
      last = readings;
    }
    const isAtEnd = furthest === this.#tokens.length;
    const failure = this.#failure;
    const isStuckInside = failure !== undefined && failure.first >= furthest;
    return {
      position: isStuckInside ? failure.first : furthest,
      labels: isStuckInside && failure.first > furthest ? [] : this.#labelsAt(furthest, last),
      failure: isStuckInside ? failure : undefined,
      isComplete: isAtEnd && [...last.keys()].some(({ isEnd }) => isEnd),
      readings: isAtEnd ? [...last].map(([state, taken]) => ({ state, taken })) : [],
      openPart: this.#openPart,
    };
  }

  /**
   * Takes one step with a reading. What is read only to be refused leads nowhere: until the parser
   * has read all of that, nothing that may stand there is expected behind its first words.
   */
  #follow(state: GrammarState, position: number, before: Taken | undefined): void {
    const token = this.#tokens[position] ?? END_TOKEN;
    for (const step of state.steps) {
      const { slot, label, type } = step;
      if (isHidden(label)) continue;
      if (slot === undefined) {
        if (!matches(token, type)) continue;
        this.#schedule(step.next, position + 1, { label, position, before });
        continue;
      }
      const { end, failure } = this.#read(slot, position);
      if (failure !== undefined) this.#fail(failure, { label, position, before });
      if (end !== undefined) this.#schedule(step.next, end, { label, position, before });
    }
  }

  /** Lets the expression reader read a part, unless it has read it before. */
  #read(slot: Slot<unknown>, position: number): PartResult {
    const known = this.#parts.get(slot);
    if (known !== undefined) return known;
    let result = this.#readFrom(this.#tokens, slot, position);
    if (result.failure?.first === this.#tokens.length && this.#isAtSeparator()) {
      // The comma may belong to the list or separate operations; what follows will tell.
      const { end } = this.#readFrom(this.#tokens.slice(0, -1), slot, position);
      if (end === this.#tokens.length - 1) result = { ...result, end };
    }
    this.#parts.set(slot, result);
    return result;
  }

  #readFrom(tokens: readonly IToken[], slot: Slot<unknown>, position: number): PartResult {
    this.#reader.enter(tokens, position, this.#spans);
    try {
      slot.read(this.#reader);
      return { end: this.#reader.position };
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error;
      return { failure: error };
    }
  }

  /** Whether the tokens end with a comma behind which an operation of ALTER may begin. */
  #isAtSeparator(): boolean {
    const isComma = this.#tokens.at(-1)?.tokenTypeIdx === Comma.tokenTypeIdx;
    return isComma && hasSeparatedOperations(this.#tokens);
  }

  #fail(failure: ParseFailure, { label, position, before }: Taken): void {
    if (isUnbegun(failure, position)) return;
    const known = this.#failure;
    if (known === undefined || known.first < failure.first) this.#failure = failure;
    if (failure.first === this.#tokens.length && failure.expected.length > 0) {
      this.#openPart ??= { label, position, failure, taken: before };
    }
  }

  #schedule(state: GrammarState, position: number, taken: Taken): void {
    // What nests deeper is refused anyway.
    if (state.level > NESTING_MAX) return;
    const readings = this.#agenda.get(position);
    if (readings === undefined) this.#agenda.set(position, new Map([[state, taken]]));
    else if (readings.size < READINGS_MAX && !readings.has(state)) readings.set(state, taken);
  }

  /** What the readings at the place last visited would have taken there and did not find. */
  #labelsAt(position: number, readings: Readings): readonly string[] {
    const token = this.#tokens[position] ?? END_TOKEN;
    const labels = new Set<string>();
    let isEnd = false;
    for (const state of readings.keys()) {
      isEnd ||= state.isEnd;
      for (const { label, slot, type } of state.steps) {
        const failure = slot === undefined ? undefined : this.#read(slot, position).failure;
        const isMissing =
          slot === undefined
            ? !matches(token, type)
            : failure !== undefined && isUnbegun(failure, position);
        if (isMissing && !isHidden(label)) labels.add(label);
      }
    }
    if (isEnd) labels.add(Semicolon.LABEL ?? ';');
    return [...labels];
  }
}

/** Whether a part was refused at its very first token. */
function isUnbegun({ first, expected }: ParseFailure, position: number): boolean {
  return first === position && expected.length > 0;
}

function matches(token: IToken, type: TokenType): boolean {
  return (
    token.tokenTypeIdx === type.tokenTypeIdx ||
    type.categoryMatchesMap?.[token.tokenTypeIdx] === true
  );
}
