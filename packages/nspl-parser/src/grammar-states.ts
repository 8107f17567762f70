import {
  Alternation,
  Alternative,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  type Rule as RuleNode,
  Terminal,
  type TokenType,
} from 'chevrotain';
import { slotOf } from './grammar/expression.js';
import type { Slot } from './grammar/grammar-host.js';

/** A terminal that may stand next and the place behind it. */
export interface GrammarStep {
  readonly label: string;
  readonly type: TokenType;
  /** Set when the expression reader reads the terminal. */
  readonly slot: Slot<unknown> | undefined;
  readonly next: GrammarState;
}

type Sequence = readonly IProduction[];

/**
 * A place in the recorded grammar: in front of one production of a sequence, inside whatever
 * encloses that. Equal places are one object, so that readings can be compared and what may follow
 * a place is worked out once.
 */
export class GrammarState {
  readonly #sequence: Sequence;
  readonly #index: number;
  /** What remains behind the sequence; undefined at the end of everything. */
  readonly #outer: GrammarState | undefined;
  /** Whether the sequence is the body of a repetition, which may begin again behind it. */
  readonly #isLoop: boolean;
  readonly #count: { states: number };
  /** Places of the sequences that this place is behind. */
  readonly #inner: Map<Sequence, (GrammarState | undefined)[]> = new Map();
  #steps: readonly GrammarStep[] | undefined;
  #isEnd = false;

  private constructor(
    at: { readonly sequence: Sequence; readonly index: number; readonly isLoop: boolean },
    outer?: GrammarState,
  ) {
    this.#sequence = at.sequence;
    this.#index = at.index;
    this.#isLoop = at.isLoop;
    this.#outer = outer;
    this.#count = outer === undefined ? { states: 0 } : outer.#count;
    this.#count.states += 1;
  }

  /** The place in front of everything that a rule reads. */
  static start(rule: RuleNode): GrammarState {
    const end = new GrammarState({ sequence: [], index: 0, isLoop: false });
    return end.#enter(rule.definition);
  }

  /** Number of places visited around the same start. */
  get known(): number {
    return this.#count.states;
  }

  /** Every terminal that may stand next, in grammar order. */
  get steps(): readonly GrammarStep[] {
    return this.#steps ?? this.#expand();
  }

  /** Whether everything may end here. */
  get isEnd(): boolean {
    if (this.#steps === undefined) this.#expand();
    return this.#isEnd;
  }

  #expand(): readonly GrammarStep[] {
    const steps: GrammarStep[] = [];
    this.#collect(steps, new Set());
    this.#steps = steps;
    return steps;
  }

  /** Adds what may stand next at `place` as if it stood here. */
  #collect(steps: GrammarStep[], seen: Set<GrammarState>, place: GrammarState = this): void {
    if (seen.has(place)) return;
    seen.add(place);
    const production = place.#sequence[place.#index];
    const outer = place.#outer;
    if (outer === undefined) {
      this.#isEnd = true;
      return;
    }
    if (production === undefined) {
      if (place.#isLoop) this.#collect(steps, seen, outer.#enter(place.#sequence, 0, true));
      this.#collect(steps, seen, outer);
      return;
    }
    const after = outer.#enter(place.#sequence, place.#index + 1, place.#isLoop);
    const inside = (body: Sequence, isLoop = false) =>
      this.#collect(steps, seen, after.#enter(body, 0, isLoop));
    if (production instanceof Terminal) {
      const { terminalType: type } = production;
      const label = production.label ?? type.LABEL ?? type.name;
      steps.push({ label, type, slot: slotOf(type), next: after });
    } else if (production instanceof NonTerminal) {
      inside(production.referencedRule.definition);
    } else if (production instanceof Alternation) {
      for (const alternative of production.definition) {
        if (alternative instanceof Alternative) inside(alternative.definition);
      }
    } else if (production instanceof RepetitionMandatory) {
      inside(production.definition, true);
    } else if (production instanceof Repetition || production instanceof Option) {
      inside(production.definition, production instanceof Repetition);
      this.#collect(steps, seen, after);
    }
  }

  /** A place in a sequence in front of this one; one behind the sequence is this one itself. */
  #enter(sequence: Sequence, index = 0, isLoop = false): GrammarState {
    if (index === sequence.length && !isLoop) return this;
    let places = this.#inner.get(sequence);
    if (places === undefined) {
      places = [];
      this.#inner.set(sequence, places);
    }
    places[index] ??= new GrammarState({ sequence, index, isLoop }, this);
    return places[index];
  }
}
