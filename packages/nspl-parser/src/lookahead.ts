import {
  getLookaheadPaths,
  type IToken,
  LLkLookaheadStrategy,
  type LookaheadSequence,
  type OptionalProductionType,
  type Rule,
  type TokenType,
} from 'chevrotain';
import { indexOf } from './tokens.js';

/** What a decision sees of the parser it decides for. */
interface TokenView {
  LA_FAST(howMuch: number): IToken;
}

/**
 * Decision table for one token: the alternative it decides for, or the table for the token behind
 * it. Alternatives are numbered from 0.
 */
type Decision = number | Decision[];

/** Every concrete token type a type stands for: itself or the members of the category. */
function members(type: TokenType): readonly number[] {
  const index = indexOf(type);
  const matches = type.categoryMatches ?? [];
  return matches.length === 0 ? [index] : matches;
}

function addPath(table: Decision[], path: LookaheadSequence[number], at: number, choice: number) {
  const type = path[at];
  if (type === undefined) {
    // An alternative that takes no token is what is left when no other begins here.
    fillRest(table, choice);
    return;
  }
  const isLast = at === path.length - 1;
  for (const index of members(type)) {
    const known = table[index];
    if (typeof known === 'number') continue;
    if (isLast) {
      // The first alternative wins; behind a longer path of an earlier one, this is what is left.
      if (known === undefined) table[index] = choice;
      else fillRest(known, choice);
    } else {
      const next: Decision[] = known ?? [];
      table[index] = next;
      addPath(next, path, at + 1, choice);
    }
  }
}

const OTHERWISE = 0;

/** Lets a table that is consulted for longer paths decide for `choice` on any other token. */
function fillRest(table: Decision[], choice: number): void {
  table[OTHERWISE] ??= choice;
}

function buildTable(alternatives: readonly LookaheadSequence[]): Decision[] {
  const table: Decision[] = [];
  alternatives.forEach((paths, choice) => {
    for (const path of paths) addPath(table, path, 0, choice);
  });
  return table;
}

function decide(view: TokenView, root: Decision[]): number | undefined {
  let table = root;
  for (let ahead = 1; ; ahead += 1) {
    const found = table[view.LA_FAST(ahead).tokenTypeIdx] ?? table[OTHERWISE];
    if (found === undefined || typeof found === 'number') return found;
    table = found;
  }
}

/**
 * LL(k) decisions as tables that are built when first used, so that a process which reads three
 * kinds of statement pays for three. Gates on alternatives are not supported.
 */
export class LazyLookahead extends LLkLookaheadStrategy {
  override buildLookaheadForAlternation(options: {
    prodOccurrence: number;
    rule: Rule;
    maxLookahead: number;
    hasPredicates: boolean;
    dynamicTokensEnabled: boolean;
  }): () => number | undefined {
    let table: Decision[] | undefined;
    return function (this: TokenView): number | undefined {
      table ??= buildTable(
        getLookaheadPaths({
          occurrence: options.prodOccurrence,
          rule: options.rule,
          prodType: 'Alternation',
          maxLookahead: options.maxLookahead,
        }),
      );
      return decide(this, table);
    };
  }

  override buildLookaheadForOptional(options: {
    prodOccurrence: number;
    prodType: OptionalProductionType;
    rule: Rule;
    maxLookahead: number;
    dynamicTokensEnabled: boolean;
  }): () => boolean {
    let table: Decision[] | undefined;
    return function (this: TokenView): boolean {
      table ??= buildTable(
        getLookaheadPaths({
          occurrence: options.prodOccurrence,
          rule: options.rule,
          prodType: options.prodType,
          maxLookahead: options.maxLookahead,
        }).slice(0, 1),
      );
      return decide(this, table) === 0;
    };
  }
}
