import {
  SHARED_CLAUSES,
  STATEMENT_ENTRIES,
  type StatementEntry,
} from '@nervix/nspl-parser/documentation';
import {
  type GrammarDescription,
  type GrammarNode,
  partsOf,
  referencedRules,
} from '@nervix/nspl-parser/grammar';
import { choiceOf, mapParts, sequenceOf } from '../../src/grammar-node.ts';
import { narrowRule } from './narrow.ts';

/** Boxes of a rule that is shown where it is used instead of by its name. */
const INLINE_MAX = 6;
/** The same for a rule that has a section of its own to lead to. */
const INLINE_DOCUMENTED_MAX = 3;

/** Rules among the alternatives of a choice that are all shown by their names. */
const NAMED_CHOICE_MIN = 8;
/** Rules that only continue a value across the punctuation in it. */
const CONTINUATIONS: ReadonlySet<string> = new Set(['hostnameRest']);

/** What has diagrams: a statement, or a shared clause. */
export interface Owner {
  readonly kind: 'statement' | 'clause';
  readonly id: string;
}

/** A statement with its diagram. */
export interface StatementDiagram {
  readonly entry: StatementEntry;
  /** Undefined for a statement that the grammar does not have. */
  readonly node: GrammarNode | undefined;
}

/** Which rule is shown where. */
export class RulePlan {
  readonly statements: readonly StatementDiagram[];
  /** Rules that several owners show without any of them being the place where they belong. */
  readonly homeless: readonly string[];
  readonly #grammar: GrammarDescription;
  readonly #shown: Map<string, GrammarNode> = new Map();
  readonly #owners: Map<string, Owner> = new Map();
  readonly #statementRules: ReadonlySet<string>;

  constructor(grammar: GrammarDescription) {
    this.#grammar = grammar;
    this.#statementRules = new Set(statementRulesOf(grammar));
    for (const clause of SHARED_CLAUSES) {
      for (const rule of clause.rules) this.#owners.set(rule, { kind: 'clause', id: clause.id });
    }
    this.statements = STATEMENT_ENTRIES.map((entry) => ({ entry, node: this.#diagramOf(entry) }));
    this.homeless = this.#assignRules();
  }

  /** A rule with the small ones in it written out. */
  shown(rule: string): GrammarNode {
    const known = this.#shown.get(rule);
    if (known !== undefined) return known;
    const body = this.#grammar.statements.get(rule) ?? this.#grammar.expressions.get(rule);
    const isExpression = !this.#grammar.statements.has(rule);
    const node = isExpression ? body : this.#inline(body ?? sequenceOf([]));
    this.#shown.set(rule, node ?? sequenceOf([]));
    return node ?? sequenceOf([]);
  }

  /** Whether a rule is one of expressions. */
  isExpressionRule(rule: string): boolean {
    return this.#grammar.expressions.has(rule);
  }

  /** Where a rule is shown; undefined for whole statements and for rules of expressions. */
  ownerOf(rule: string): Owner | undefined {
    return this.#owners.get(rule);
  }

  /** The rules shown with a statement or clause: its own, then the parts that only it uses. */
  rulesOf(owner: Owner): readonly string[] {
    return [...this.#owners]
      .filter(([, { kind, id }]) => kind === owner.kind && id === owner.id)
      .map(([rule]) => rule)
      .filter((rule) => this.#grammar.statements.has(rule));
  }

  /** The rules that the diagrams of an owner lead to. */
  referencesOf(owner: Owner): readonly string[] {
    const own = this.statements.find(
      ({ entry }) => owner.kind === 'statement' && entry.id === owner.id,
    );
    const nodes = [...(own?.node === undefined ? [] : [own.node])];
    nodes.push(...this.rulesOf(owner).map((rule) => this.shown(rule)));
    return [...new Set(nodes.flatMap(referencedRules))];
  }

  #diagramOf(entry: StatementEntry): GrammarNode | undefined {
    const { statements, start } = this.#grammar;
    const excluded = STATEMENT_ENTRIES.flatMap(({ heads }) => heads).flatMap((other) => {
      const longer = entry.heads.find((head) => other.startsWith(`${head} `));
      return longer === undefined ? [] : [other.slice(longer.length + 1).split(' ')[0] ?? ''];
    });
    const node = narrowRule(statements, start, entry.heads, excluded);
    return node === undefined ? undefined : this.#inline(node);
  }

  #inline(node: GrammarNode): GrammarNode {
    if (node.kind === 'choice' && node.alternatives.filter(isRule).length >= NAMED_CHOICE_MIN) {
      return choiceOf(node.alternatives.map((each) => (isRule(each) ? each : this.#inline(each))));
    }
    if (node.kind !== 'rule') return mapParts(node, (part) => this.#inline(part));
    if (CONTINUATIONS.has(node.name)) return sequenceOf([]);
    return this.#isInlined(node.name) ? this.shown(node.name) : node;
  }

  #isInlined(rule: string): boolean {
    if (!this.#grammar.statements.has(rule) || this.#statementRules.has(rule)) return false;
    if (this.#isRecursive(rule)) return false;
    const max = this.#owners.has(rule) ? INLINE_DOCUMENTED_MAX : INLINE_MAX;
    return boxesIn(this.shown(rule)) <= max;
  }

  #isRecursive(rule: string): boolean {
    const seen = new Set<string>();
    const visit = (name: string): boolean => {
      const body = this.#grammar.statements.get(name);
      if (body === undefined || seen.has(name)) return false;
      seen.add(name);
      return referencedRules(body).some((other) => other === rule || visit(other));
    };
    return visit(rule);
  }

  /** Gives the rules that one owner alone uses to it. */
  #assignRules(): readonly string[] {
    const users = new Map<string, Owner[]>();
    const visit = (node: GrammarNode, owner: Owner): void => {
      for (const rule of referencedRules(node)) {
        const isOther = this.isExpressionRule(rule) || this.#statementRules.has(rule);
        if (isOther || this.#owners.has(rule)) continue;
        const known = users.get(rule) ?? [];
        users.set(rule, known);
        if (known.some(({ kind, id }) => kind === owner.kind && id === owner.id)) continue;
        known.push(owner);
        visit(this.shown(rule), owner);
      }
    };
    for (const { entry, node } of this.statements) {
      if (node !== undefined) visit(node, { kind: 'statement', id: entry.id });
    }
    for (const { id, rules } of SHARED_CLAUSES) {
      for (const rule of rules) visit(this.shown(rule), { kind: 'clause', id });
    }
    const homeless: string[] = [];
    for (const [rule, [owner, other]] of users) {
      if (owner !== undefined && other === undefined) this.#owners.set(rule, owner);
      else homeless.push(rule);
    }
    return homeless;
  }
}

/** Names of the rules that read whole statements. */
function statementRulesOf({ statements, start }: GrammarDescription): readonly string[] {
  const first = (node: GrammarNode): readonly string[] => {
    if (node.kind === 'rule') return [node.name];
    if (node.kind === 'sequence') return node.items[0] === undefined ? [] : first(node.items[0]);
    return node.kind === 'choice' ? node.alternatives.flatMap(first) : [];
  };
  return first(statements.get(start) ?? sequenceOf([]));
}

/** Boxes that a piece takes; keywords beside each other share one. */
function boxesIn(node: GrammarNode): number {
  const parts = partsOf(node);
  if (parts.length === 0) return node.kind === 'sequence' ? 0 : 1;
  return parts.reduce((sum, part, index) => {
    const isJoined =
      node.kind === 'sequence' && part.kind === 'keyword' && parts[index - 1]?.kind === 'keyword';
    return sum + (isJoined ? 0 : boxesIn(part));
  }, 0);
}

function isRule(node: GrammarNode): boolean {
  return node.kind === 'rule';
}
