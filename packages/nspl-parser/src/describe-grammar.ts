import {
  Alternation,
  Alternative,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  type Rule,
  Terminal,
} from 'chevrotain';
import { EXPRESSION_RULES, SLOT_RULES } from './expression/expression-grammar.js';
import { slotOf } from './grammar/expression.js';
import { isHidden } from './grammar/grammar-host.js';
import {
  choiceOf,
  type GrammarNode,
  type GrammarRules,
  isSameNode,
  optionalOf,
  sequenceOf,
} from './grammar-node.js';
import { SERVER_STATEMENT_RULE, STATEMENT_RULE, statementParser } from './parser.js';
import { Comma, PUNCTUATION } from './tokens.js';

/** The grammar of the language as plain data. */
export interface GrammarDescription {
  /** Name of the rule that reads one statement as people write it. */
  readonly start: string;
  /** Name of the rule that reads one statement as a client sends it to a node. */
  readonly serverStart: string;
  /** The rules of statements. What is matched but never offered is left out. */
  readonly statements: GrammarRules;
  /** The rules of expressions and constructions, which those of statements refer to. */
  readonly expressions: GrammarRules;
}

/** Describes the grammar that the parser reads by. */
export function describeGrammar(): GrammarDescription {
  const recorded = Object.entries(statementParser().host.recorded());
  return {
    start: STATEMENT_RULE,
    serverStart: SERVER_STATEMENT_RULE,
    statements: new Map(
      recorded.flatMap(([name, rule]) => {
        const node = describeSequence(rule.definition);
        return node === undefined ? [] : [[name, node] as const];
      }),
    ),
    expressions: EXPRESSION_RULES,
  };
}

const shownRules = new WeakMap<Rule, boolean>();

/** Whether a rule reads anything but what is never offered. */
function isShown(rule: Rule): boolean {
  const known = shownRules.get(rule);
  if (known !== undefined) return known;
  // A rule within itself has no say in it.
  shownRules.set(rule, true);
  const isRuleShown = describeSequence(rule.definition) !== undefined;
  shownRules.set(rule, isRuleShown);
  return isRuleShown;
}

/** Undefined for what is not to be shown. */
function describe(production: IProduction): GrammarNode | undefined {
  if (production instanceof Terminal) return describeTerminal(production);
  if (production instanceof NonTerminal) {
    const { nonTerminalName: name, referencedRule: rule } = production;
    return isShown(rule) ? { kind: 'rule', name } : undefined;
  }
  if (production instanceof Alternation) {
    const shown = production.definition
      .filter((each) => each instanceof Alternative)
      .map(({ definition }) => describeSequence(definition))
      .filter((each) => each !== undefined);
    return shown.length === 0 ? undefined : choiceOf(shown);
  }
  if (production instanceof RepetitionMandatory) {
    const item = describeSequence(production.definition);
    return item === undefined ? undefined : { kind: 'repeat', item, separator: null };
  }
  if (production instanceof Repetition || production instanceof Option) {
    const item = describeSequence(production.definition);
    if (item === undefined) return sequenceOf([]);
    const isRepeated = production instanceof Repetition;
    return optionalOf(isRepeated ? { kind: 'repeat', item, separator: null } : item);
  }
  throw new TypeError(`a ${production.constructor.name} has no description`);
}

function describeTerminal({ terminalType: type, label }: Terminal): GrammarNode | undefined {
  if (label !== undefined && isHidden(label)) return undefined;
  if (slotOf(type) !== undefined) {
    const name = SLOT_RULES.get(type.name);
    if (name === undefined) throw new TypeError(`no expression rule describes ${type.name}`);
    return label === undefined ? { kind: 'rule', name } : { kind: 'rule', name, label };
  }
  const text = type.LABEL ?? type.name;
  if (PUNCTUATION.includes(type)) return { kind: 'punctuation', text };
  if (type.name.startsWith('KW_')) return { kind: 'keyword', text };
  return { kind: 'value', label: label ?? text };
}

/** A row of which a part is not shown is not shown itself. */
function describeSequence(productions: readonly IProduction[]): GrammarNode | undefined {
  const items: GrammarNode[] = [];
  for (const production of productions) {
    const list = listSeparator(production, items);
    if (list !== undefined) {
      items.splice(items.length - list.length, list.length, listOf(list.items));
      continue;
    }
    const item = describe(production);
    if (item === undefined) return undefined;
    const last = items.at(-1);
    // A duration or a size is two tokens with one label.
    if (last?.kind === 'value' && isSameNode(last, item) && last.label.endsWith('_literal'))
      continue;
    items.push(...(item.kind === 'sequence' ? item.items : [item]));
  }
  return sequenceOf(items);
}

function listOf(items: readonly GrammarNode[]): GrammarNode {
  const separator: GrammarNode = { kind: 'punctuation', text: Comma.LABEL ?? ',' };
  return { kind: 'repeat', item: sequenceOf(items), separator };
}

/** The items just described that a production repeats behind commas, if it does that. */
function listSeparator(
  production: IProduction,
  items: readonly GrammarNode[],
): { readonly items: readonly GrammarNode[]; readonly length: number } | undefined {
  if (!(production instanceof Repetition)) return undefined;
  const [comma, ...rest] = production.definition;
  if (!(comma instanceof Terminal) || comma.terminalType !== Comma) return undefined;
  const body = describeSequence(rest);
  if (body === undefined) return undefined;
  const repeated = body.kind === 'sequence' ? body.items : [body];
  const before = items.slice(-repeated.length);
  const isList =
    before.length === repeated.length &&
    before.every((item, index) => isSameNode(item, repeated[index] ?? sequenceOf([])));
  return isList ? { items: repeated, length: repeated.length } : undefined;
}
