import type { IToken, Rule as RuleNode, TokenType } from 'chevrotain';
import { ExpressionReader } from './expression/expression-reader.js';
import { ParseFailure } from './failure.js';
import { isHidden, type Slot } from './grammar/grammar-host.js';
import { GrammarState, type GrammarStep } from './grammar-states.js';
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

/** What the expression reader made of a part: where it ends, or why it does not. */
type PartResult = number | ParseFailure;

class Walk {
  readonly #tokens: readonly IToken[];
  readonly #reader = new ExpressionReader();
  readonly #spans = new NodeSpans();
  /** Readings by the index of the token they stand before; equal ones are followed once. */
  readonly #agenda = new Map<number, Map<GrammarState, Taken | undefined>>();
  #furthest = -1;
  #labels = new Set<string>();
  #failure: ParseFailure | undefined;
  #openPart: OpenPart | undefined;

  constructor(start: GrammarState, tokens: readonly IToken[]) {
    this.#tokens = tokens;
    this.#agenda.set(0, new Map([[start, undefined]]));
  }

  run(): Expectations {
    const end = this.#tokens.length;
    let isComplete = false;
    let readings: Reading[] = [];
    for (let position = 0; position <= end; position += 1) {
      const states = this.#agenda.get(position);
      if (states === undefined) continue;
      this.#agenda.delete(position);
      const isEnd = this.#follow(states, position);
      if (isEnd) this.#expect(Semicolon.LABEL ?? ';', position);
      if (position < end) continue;
      isComplete = isEnd;
      readings = [...states].map(([state, taken]) => ({ state, taken }));
    }
    return {
      position: this.#furthest,
      labels: [...this.#labels],
      failure: this.#failure,
      isComplete,
      readings,
      openPart: this.#openPart,
    };
  }

  /** Takes one step with every reading; tells whether one of them may end here. */
  #follow(states: ReadonlyMap<GrammarState, Taken | undefined>, position: number): boolean {
    const token = this.#tokens[position] ?? END_TOKEN;
    const parts = new Map<Slot<unknown>, PartResult>();
    let isEnd = false;
    for (const [state, before] of states) {
      isEnd ||= state.isEnd;
      for (const step of state.steps) {
        const { slot, label, type } = step;
        const taken: Taken = { label, position, before };
        if (slot !== undefined) this.#followPart(step, this.#read(slot, position, parts), taken);
        else if (matches(token, type)) this.#schedule(step.next, position + 1, taken);
        else this.#expect(label, position);
      }
    }
    return isEnd;
  }

  /** Lets the expression reader read a part that begins at `position`, unless it has before. */
  #read(slot: Slot<unknown>, position: number, parts: Map<Slot<unknown>, PartResult>): PartResult {
    const known = parts.get(slot);
    if (known !== undefined) return known;
    this.#reader.enter(this.#tokens, position, this.#spans);
    let result: PartResult;
    try {
      slot.read(this.#reader);
      result = this.#reader.position;
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error;
      result = error;
    }
    parts.set(slot, result);
    return result;
  }

  #followPart({ label, next }: GrammarStep, result: PartResult, taken: Taken): void {
    if (typeof result === 'number') {
      this.#schedule(next, result, taken);
      return;
    }
    const { position, before } = taken;
    if (result.first === position && result.expected.length > 0) {
      this.#expect(label, position);
      return;
    }
    if (this.#reach(result.first)) this.#failure ??= result;
    if (result.first === this.#tokens.length && result.expected.length > 0) {
      this.#openPart ??= { label, position, failure: result, taken: before };
    }
  }

  #schedule(state: GrammarState, position: number, taken: Taken): void {
    const states = this.#agenda.get(position);
    if (states === undefined) this.#agenda.set(position, new Map([[state, taken]]));
    else if (states.size < READINGS_MAX && !states.has(state)) states.set(state, taken);
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
}

function matches(token: IToken, type: TokenType): boolean {
  return (
    token.tokenTypeIdx === type.tokenTypeIdx ||
    type.categoryMatchesMap?.[token.tokenTypeIdx] === true
  );
}
