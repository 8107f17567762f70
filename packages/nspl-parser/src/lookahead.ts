import {
  Alternation,
  Alternative,
  type IProduction,
  type IToken,
  LLkLookaheadStrategy,
  NonTerminal,
  Option,
  type OptionalProductionType,
  Repetition,
  RepetitionMandatory,
  type Rule,
  Terminal,
} from 'chevrotain';
import { GrammarState } from './grammar-states.js';

/** What a decision sees of the parser it decides for. */
interface TokenView {
  LA_FAST(howMuch: number): IToken;
}

type Sequence = readonly IProduction[];
type Decided = Alternation | Option | Repetition | RepetitionMandatory;

/** No alternative may stand here. */
const NONE = -1;

/** What is known once a number of tokens has been seen. */
interface Node {
  /** Places where each alternative may stand; none for one that is out. */
  readonly places: readonly (readonly GrammarState[])[];
  /** Tokens seen. */
  readonly depth: number;
  /** The alternative to take when no further token speaks for any. */
  readonly otherwise: number;
  /** By the type index of the next token: the alternative, or what is known behind it. */
  readonly next: (number | Node)[];
}

/**
 * LL(k) decisions that are worked out token by token when a text first asks for them: a process
 * that reads three kinds of statement pays for three, and a name slot costs as much as a keyword.
 * Gates on alternatives are not supported.
 */
export class LazyLookahead extends LLkLookaheadStrategy {
  override buildLookaheadForAlternation(options: {
    prodOccurrence: number;
    rule: Rule;
    maxLookahead: number;
    hasPredicates: boolean;
    dynamicTokensEnabled: boolean;
  }): () => number | undefined {
    const { rule, prodOccurrence, maxLookahead } = options;
    let root: Node | undefined;
    return function (this: TokenView): number | undefined {
      root ??= rootOf(alternativesOf(rule, Alternation, prodOccurrence));
      const choice = decide(this, root, maxLookahead);
      return choice === NONE ? undefined : choice;
    };
  }

  override buildLookaheadForOptional(options: {
    prodOccurrence: number;
    prodType: OptionalProductionType;
    rule: Rule;
    maxLookahead: number;
    dynamicTokensEnabled: boolean;
  }): () => boolean {
    const { rule, prodType, prodOccurrence, maxLookahead } = options;
    const production = OPTIONAL[prodType];
    let root: Node | undefined;
    return function (this: TokenView): boolean {
      root ??= rootOf(alternativesOf(rule, production, prodOccurrence));
      return decide(this, root, maxLookahead) === 0;
    };
  }
}

type DecidedClass = new (...parameters: never[]) => Decided;

const OPTIONAL: Readonly<Record<string, DecidedClass>> = {
  Option,
  Repetition,
  RepetitionMandatory,
};

/** Where each alternative of a decision begins; of an optional part, itself and what follows it. */
function alternativesOf(
  rule: Rule,
  production: DecidedClass | undefined,
  occurrence: number,
): readonly GrammarState[] {
  const wanted = (part: IProduction): part is Decided =>
    production !== undefined && part instanceof production && part.idx === occurrence;
  const found = find(rule.definition, false, GrammarState.end(), wanted);
  if (found === undefined) throw new RangeError(`rule ${rule.name} lacks a decision`);
  const { part, after } = found;
  if (part instanceof Alternation) {
    return part.definition.flatMap((alternative) =>
      alternative instanceof Alternative
        ? [after.enter({ sequence: alternative.definition, index: 0, isLoop: false })]
        : [],
    );
  }
  const isLoop = !(part instanceof Option);
  return [after.enter({ sequence: part.definition, index: 0, isLoop }), after];
}

interface FoundPart {
  readonly part: Decided;
  /** The place behind it. */
  readonly after: GrammarState;
}

/** Looks for a part of a rule, other rules not included. */
function find(
  sequence: Sequence,
  isLoop: boolean,
  outer: GrammarState,
  wanted: (part: IProduction) => part is Decided,
): FoundPart | undefined {
  for (const [index, part] of sequence.entries()) {
    if (part instanceof Terminal || part instanceof NonTerminal) continue;
    const after = outer.enter({ sequence, index: index + 1, isLoop });
    if (wanted(part)) return { part, after };
    const found = findInside(part, after, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInside(
  part: IProduction,
  after: GrammarState,
  wanted: (part: IProduction) => part is Decided,
): FoundPart | undefined {
  if (part instanceof Alternation) {
    for (const alternative of part.definition) {
      if (!(alternative instanceof Alternative)) continue;
      const found = find(alternative.definition, false, after, wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const isRepeated = part instanceof Repetition || part instanceof RepetitionMandatory;
  if (!isRepeated && !(part instanceof Option)) return undefined;
  return find(part.definition, isRepeated, after, wanted);
}

function rootOf(alternatives: readonly GrammarState[]): Node {
  const places = alternatives.map((place) => [place]);
  return { places, depth: 0, otherwise: NONE, next: [] };
}

function decide(view: TokenView, root: Node, maxLookahead: number): number {
  for (let node = root; ; ) {
    const index = view.LA_FAST(node.depth + 1).tokenTypeIdx;
    let found = node.next[index];
    if (found === undefined) {
      found = advance(node, index, maxLookahead);
      node.next[index] = found;
    }
    if (typeof found === 'number') return found;
    node = found;
  }
}

/**
 * What a token decides. It speaks for an alternative that takes it; one that may end before it, or
 * that goes on with a part of the expression reader, stays possible should none take it. Where the
 * last token that counts speaks for several, the first of them is taken.
 */
function advance(node: Node, token: number, maxLookahead: number): number | Node {
  const places: GrammarState[][] = [];
  let taking = 0;
  let first = NONE;
  let open = NONE;
  for (const [alternative, states] of node.places.entries()) {
    const next = new Set<GrammarState>();
    let isOpen = false;
    for (const state of states) {
      isOpen ||= state.isEnd;
      for (const { slot, type, next: behind } of state.steps) {
        if (slot !== undefined) isOpen = true;
        else if (type.tokenTypeIdx === token || type.categoryMatchesMap?.[token] === true) {
          next.add(behind);
        }
      }
    }
    places.push([...next]);
    if (next.size > 0) {
      taking += 1;
      if (first === NONE) first = alternative;
    } else if (isOpen && open === NONE) open = alternative;
  }
  const otherwise = open === NONE ? node.otherwise : open;
  if (taking === 0) return otherwise;
  if (taking === 1 || node.depth + 1 >= maxLookahead) return first;
  return { places, depth: node.depth + 1, otherwise, next: [] };
}
