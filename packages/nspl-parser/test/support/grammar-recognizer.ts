import fc from 'fast-check';
import type { GrammarNode, GrammarRules } from '../../src/grammar.ts';

/** What a value may be: the tokens that sentences use for it and the tokens it takes. */
export interface ValueTokens {
  readonly examples: readonly string[];
  takes(token: string): boolean;
}
export type Values = ReadonlyMap<string, ValueTokens>;

export interface Language {
  readonly rules: GrammarRules;
  readonly values: Values;
}

function tokensOf({ values }: Language, label: string): ValueTokens {
  const value = values.get(label);
  if (value === undefined) throw new Error(`no tokens for ${label}`);
  return value;
}

function ruleOf({ rules }: Language, name: string): GrammarNode {
  const rule = rules.get(name);
  if (rule === undefined) throw new Error(`no rule ${name}`);
  return rule;
}

/** Whether tokens are a sentence of a rule, by trying every way to read them. */
export function isSentence(language: Language, rule: string, tokens: readonly string[]): boolean {
  const known = new Map<GrammarNode, Map<number, ReadonlySet<number>>>();
  const endsOf = (node: GrammarNode, at: number): ReadonlySet<number> => {
    const byPlace = known.get(node) ?? new Map<number, ReadonlySet<number>>();
    known.set(node, byPlace);
    const ends = byPlace.get(at) ?? readFrom(node, at);
    byPlace.set(at, ends);
    return ends;
  };
  const from = (node: GrammarNode, places: ReadonlySet<number>): ReadonlySet<number> =>
    new Set([...places].flatMap((place) => [...endsOf(node, place)]));
  const token = (at: number, takes: (text: string) => boolean): ReadonlySet<number> => {
    const text = tokens[at];
    return new Set(text !== undefined && takes(text) ? [at + 1] : []);
  };
  const readFrom = (node: GrammarNode, at: number): ReadonlySet<number> => {
    switch (node.kind) {
      case 'keyword':
        return token(at, (text) => text.toUpperCase() === node.text.toUpperCase());
      case 'punctuation':
        return token(at, (text) => text === node.text);
      case 'value':
        return token(at, (text) => tokensOf(language, node.label).takes(text));
      case 'rule':
        return endsOf(ruleOf(language, node.name), at);
      case 'sequence':
        return node.items.reduce<ReadonlySet<number>>(
          (places, item) => from(item, places),
          new Set([at]),
        );
      case 'choice':
        return new Set(node.alternatives.flatMap((each) => [...endsOf(each, at)]));
      case 'optional':
        return new Set([at, ...endsOf(node.item, at)]);
      case 'repeat': {
        let last = endsOf(node.item, at);
        const all = new Set(last);
        while (last.size > 0) {
          const next = node.separator === null ? last : from(node.separator, last);
          last = new Set([...from(node.item, next)].filter((end) => !all.has(end)));
          for (const end of last) all.add(end);
        }
        return all;
      }
    }
  };
  return endsOf(ruleOf(language, rule), 0).has(tokens.length);
}

/** Levels of rules below which a sentence is completed by the shortest way. */
const DEPTH_MAX = 24;

/** Sentences of a rule, as tokens. */
export function sentences(language: Language, rule: string): fc.Arbitrary<readonly string[]> {
  const shortest = shortestSentences(language);
  return fc.gen().map((generate) => {
    const words = (node: GrammarNode, depth: number): readonly string[] => {
      if (depth > DEPTH_MAX) return shortest(node);
      const isMore = (): boolean => generate(fc.nat, { max: 5 }) === 5;
      switch (node.kind) {
        case 'keyword':
          return [generate(fc.constantFrom, node.text, node.text.toLowerCase())];
        case 'value':
          return [generate(fc.constantFrom, ...tokensOf(language, node.label).examples)];
        case 'rule':
          return words(ruleOf(language, node.name), depth + 1);
        case 'sequence':
          return node.items.flatMap((item) => words(item, depth));
        case 'choice': {
          const chosen = generate(fc.nat, { max: node.alternatives.length - 1 });
          return words(node.alternatives[chosen]!, depth);
        }
        case 'optional':
          return isMore() ? words(node.item, depth) : [];
        case 'repeat': {
          const all = [...words(node.item, depth)];
          while (isMore()) {
            if (node.separator !== null) all.push(...words(node.separator, depth));
            all.push(...words(node.item, depth));
          }
          return all;
        }
        default:
          return [node.text];
      }
    };
    return words(ruleOf(language, rule), 0);
  });
}

/** Finds a shortest sentence of any piece of the language. */
function shortestSentences(language: Language): (node: GrammarNode) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const shortest = (node: GrammarNode): readonly string[] | undefined => {
    switch (node.kind) {
      case 'value':
        return [tokensOf(language, node.label).examples[0]!];
      case 'rule':
        return known.get(node.name);
      case 'sequence': {
        const parts = node.items.map(shortest);
        return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
      }
      case 'choice':
        return node.alternatives
          .map(shortest)
          .filter((part) => part !== undefined)
          .toSorted((left, right) => left.length - right.length)[0];
      case 'optional':
        return [];
      case 'repeat':
        return shortest(node.item);
      default:
        return [node.text];
    }
  };
  for (let found = -1; found < known.size; ) {
    found = known.size;
    for (const [name, rule] of language.rules) {
      const sentence = shortest(rule);
      if (!known.has(name) && sentence !== undefined) known.set(name, sentence);
    }
  }
  return (node) => {
    const sentence = shortest(node);
    if (sentence === undefined) throw new Error('the rule has no sentence');
    return sentence;
  };
}
