import type { GrammarNode, GrammarRules } from '@nervix/nspl-parser/grammar';
import { choiceOf, optionalOf, sequenceOf } from '../../src/grammar-node.ts';

type Words = readonly string[];

/** A piece of which only what begins with the wanted words is left. */
interface Narrowed {
  readonly node: GrammarNode;
  /** What of the wanted words is still to come, for each reading; empty when all have been seen. */
  readonly wanted: readonly Words[];
}

/**
 * What a rule reads of statements that begin with certain keywords; optional words between them
 * stay optional.
 *
 * @param heads keywords with a blank between each two
 * @param excluded one more keyword behind a head, which begins another statement
 * @returns undefined when no statement of the rule begins so
 */
export function narrowRule(
  rules: GrammarRules,
  rule: string,
  heads: readonly string[],
  excluded: readonly string[] = [],
): GrammarNode | undefined {
  const start: GrammarNode = { kind: 'rule', name: rule };
  const wanted = heads.map((head) => head.split(' '));
  return new Narrowing(rules, new Set(excluded)).narrow(start, wanted)?.node;
}

class Narrowing {
  readonly #rules: GrammarRules;
  readonly #excluded: ReadonlySet<string>;

  constructor(rules: GrammarRules, excluded: ReadonlySet<string>) {
    this.#rules = rules;
    this.#excluded = excluded;
  }

  narrow(node: GrammarNode, wanted: readonly Words[]): Narrowed | undefined {
    switch (node.kind) {
      case 'keyword': {
        const rest = wanted.filter(([word]) => word === node.text).map((words) => words.slice(1));
        return rest.length === 0 ? undefined : { node, wanted: rest };
      }
      case 'rule': {
        const body = this.#rules.get(node.name);
        return body === undefined ? undefined : this.narrow(body, wanted);
      }
      case 'sequence':
        return this.#sequence(node.items, wanted);
      case 'choice': {
        const found = node.alternatives
          .map((each) => this.narrow(each, wanted))
          .filter((each) => each !== undefined);
        if (found.length === 0) return undefined;
        const rest = found.flatMap((each) => each.wanted);
        return { node: choiceOf(found.map((each) => each.node)), wanted: rest };
      }
      case 'optional':
        return this.narrow(node.item, wanted) ?? { node: optionalOf(node.item), wanted };
      default:
        return undefined;
    }
  }

  #sequence(items: readonly GrammarNode[], wanted: readonly Words[]): Narrowed | undefined {
    const kept: GrammarNode[] = [];
    let rest = wanted;
    for (const [index, item] of items.entries()) {
      if (rest.every((words) => words.length === 0)) {
        kept.push(...this.#behindHead(items.slice(index)));
        break;
      }
      const narrowed = this.narrow(item, rest);
      if (narrowed === undefined) return undefined;
      kept.push(narrowed.node);
      rest = narrowed.wanted;
    }
    return { node: sequenceOf(kept), wanted: rest };
  }

  /** What follows the head, without the alternatives that are statements of their own. */
  #behindHead([first, ...others]: readonly GrammarNode[]): readonly GrammarNode[] {
    if (first?.kind !== 'choice' || this.#excluded.size === 0) {
      return first === undefined ? others : [first, ...others];
    }
    const kept = first.alternatives.filter((each) => !this.#excluded.has(firstWord(each)));
    return [choiceOf(kept), ...others];
  }
}

function firstWord(node: GrammarNode): string {
  if (node.kind === 'sequence') return node.items[0] === undefined ? '' : firstWord(node.items[0]);
  return node.kind === 'keyword' ? node.text : '';
}

/** Most keywords of a head that is told apart. */
const HEAD_WORDS_MAX = 5;

/**
 * The keywords that sentences of a rule begin with, up to the first token that is none; optional
 * parts among them are left out.
 */
export function headsOf(rules: GrammarRules, rule: string): readonly string[] {
  const heads = (node: GrammarNode): readonly { words: Words; isOpen: boolean }[] => {
    switch (node.kind) {
      case 'keyword':
        return [{ words: [node.text], isOpen: true }];
      case 'rule':
        return heads(rules.get(node.name) ?? sequenceOf([]));
      case 'choice':
        return node.alternatives.flatMap(heads);
      case 'optional':
        return [{ words: [], isOpen: true }];
      case 'sequence':
        return node.items.reduce<readonly { words: Words; isOpen: boolean }[]>(
          (before, item) =>
            before.flatMap((each) =>
              each.isOpen && each.words.length < HEAD_WORDS_MAX
                ? heads(item).map(({ words, isOpen }) => ({
                    words: [...each.words, ...words],
                    isOpen,
                  }))
                : [each],
            ),
          [{ words: [], isOpen: true }],
        );
      default:
        return [{ words: [], isOpen: false }];
    }
  };
  return [...new Set(heads({ kind: 'rule', name: rule }).map(({ words }) => words.join(' ')))];
}
