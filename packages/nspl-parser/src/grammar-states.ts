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

type Sequence = readonly IProduction[];

/** In front of the production at an index of a sequence, or behind the last. */
interface Place {
  readonly sequence: Sequence;
  readonly index: number;
  /** Whether the sequence is the body of a repetition, which may begin again behind it. */
  readonly isLoop: boolean;
}

/** A terminal that may stand next. */
export class GrammarStep {
  readonly label: string;
  readonly type: TokenType;
  /** Set when the expression reader reads the terminal. */
  readonly slot: Slot<unknown> | undefined;
  readonly #outer: GrammarState;
  readonly #place: Place;

  constructor(terminal: Terminal, outer: GrammarState, place: Place) {
    const { label, terminalType: type } = terminal;
    this.label = label ?? type.LABEL ?? type.name;
    this.type = type;
    this.slot = slotOf(type);
    this.#outer = outer;
    this.#place = place;
  }

  /** The place behind the terminal. */
  get next(): GrammarState {
    return this.#outer.enter(this.#place);
  }
}

/**
 * A place in the recorded grammar and what encloses it. Equal ones are one object, so that readings
 * can be compared and what may follow is worked out once.
 */
export class GrammarState {
  /** How often the sequence that the place is in encloses itself, as nested types do. */
  readonly level: number;
  readonly #place: Place;
  /** What remains behind the sequence; undefined at the end of everything. */
  readonly #outer: GrammarState | undefined;
  readonly #count: { states: number };
  /** Places in sequences that this place is behind. */
  #inner: Map<Sequence, (GrammarState | undefined)[]> | undefined;
  #steps: readonly GrammarStep[] | undefined;
  #isEnd = false;

  private constructor(place: Place, outer?: GrammarState) {
    this.#place = place;
    this.#outer = outer;
    this.#count = outer === undefined ? { states: 0 } : outer.#count;
    this.#count.states += 1;
    this.level = outer?.levelOf(place.sequence) ?? 0;
  }

  /** The place in front of everything that a rule reads. */
  static start(rule: RuleNode): GrammarState {
    return GrammarState.end().enter({ sequence: rule.definition, index: 0, isLoop: false });
  }

  /** The place behind everything, from which all others are entered. */
  static end(): GrammarState {
    return new GrammarState({ sequence: [], index: 0, isLoop: false });
  }

  /** The level of a place in a sequence in front of this place. */
  levelOf(sequence: Sequence): number {
    for (let place: GrammarState | undefined = this; place !== undefined; place = place.#outer) {
      if (place.#place.sequence === sequence) return place.level + 1;
    }
    return 0;
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

  /** A place in a sequence in front of this place; one behind the sequence is this one itself. */
  enter(place: Place): GrammarState {
    const { sequence, index, isLoop } = place;
    if (index === sequence.length && !isLoop) return this;
    this.#inner ??= new Map();
    let places = this.#inner.get(sequence);
    if (places === undefined) {
      places = [];
      this.#inner.set(sequence, places);
    }
    places[index] ??= new GrammarState(place, this);
    return places[index];
  }

  #expand(): readonly GrammarStep[] {
    const expansion = new Expansion();
    GrammarState.#collect(this, expansion);
    this.#isEnd = expansion.isEnd;
    this.#steps = expansion.steps;
    return expansion.steps;
  }

  static #collect(state: GrammarState, expansion: Expansion): void {
    if (!expansion.isNew(state)) return;
    if (state.#outer === undefined) expansion.isEnd = true;
    else GrammarState.#collectAt(state.#place, state.#outer, expansion);
  }

  /** Adds what may stand at a place that is inside `outer`. */
  static #collectAt(place: Place, outer: GrammarState, expansion: Expansion): void {
    const { sequence, index, isLoop } = place;
    const production = sequence[index];
    if (production === undefined) {
      if (isLoop) GrammarState.#collect(outer.enter({ ...place, index: 0 }), expansion);
      GrammarState.#collect(outer, expansion);
      return;
    }
    const behind: Place = { sequence, index: index + 1, isLoop };
    if (production instanceof Terminal) {
      expansion.steps.push(new GrammarStep(production, outer, behind));
      return;
    }
    const after = outer.enter(behind);
    const inside = (body: Sequence, isRepeated = false): void =>
      GrammarState.#collectAt({ sequence: body, index: 0, isLoop: isRepeated }, after, expansion);
    if (production instanceof NonTerminal) {
      inside(production.referencedRule.definition);
    } else if (production instanceof Alternation) {
      for (const alternative of production.definition) {
        if (alternative instanceof Alternative) inside(alternative.definition);
      }
    } else if (production instanceof RepetitionMandatory) {
      inside(production.definition, true);
    } else if (production instanceof Repetition || production instanceof Option) {
      inside(production.definition, production instanceof Repetition);
      GrammarState.#collect(after, expansion);
    }
  }
}

/** What has been found about a place so far. */
class Expansion {
  readonly steps: GrammarStep[] = [];
  isEnd = false;
  readonly #seen: Set<GrammarState> = new Set();

  /** Whether a place is visited for the first time; parts may be left out in several ways. */
  isNew(state: GrammarState): boolean {
    if (this.#seen.has(state)) return false;
    this.#seen.add(state);
    return true;
  }
}
