import type { Assignment, Construction, Expression, Inherit, Invocation } from '@nervix/model';
import { keywords } from '../tokens.js';
import {
  AssignmentsSlot,
  ExpressionSlot,
  InheritSlot,
  InvocationsSlot,
  NO_EXPRESSION,
} from './expression.js';
import { type GrammarHost, hidden, type Label, label, type Rule } from './grammar-host.js';

const K = keywords('INHERIT', 'SET', 'WHERE', 'INVOKE');
const WHERE_BODY = label('where_expression');
const SET_BODY = label('set_assignments');
const INHERIT_TARGETS = label('inherit_targets');
const INVOCATIONS = label('invocations');
const HIDDEN_INHERIT = hidden('INHERIT');
const HIDDEN_INVOKE = hidden('INVOKE');

/** The clauses read, whichever they are. */
export interface Parts {
  inherit: Inherit | null;
  set: readonly Assignment[];
  where: Expression | null;
  invoke: readonly Invocation[];
}

const CLAUSE_COUNT = 4;
export const NO_ASSIGNMENTS: readonly Assignment[] = Object.freeze([]);
const NO_INVOCATIONS: readonly Invocation[] = Object.freeze([]);
const NO_INHERIT: Inherit = { kind: 'all', except: [] };

function noParts(): Parts {
  return { inherit: null, set: NO_ASSIGNMENTS, where: null, invoke: NO_INVOCATIONS };
}

/** Reads one clause of a construction, by its place in the fixed order. */
function readClause(g: GrammarHost, clause: number, parts: Parts, option?: Label): void {
  switch (clause) {
    case 0:
      g.take(K.INHERIT, option);
      parts.inherit = g.slot(InheritSlot, INHERIT_TARGETS, NO_INHERIT);
      return;
    case 1:
      g.take(K.SET, option);
      parts.set = g.slot(AssignmentsSlot, SET_BODY, NO_ASSIGNMENTS);
      return;
    case 2:
      g.take(K.WHERE, option);
      parts.where = g.slot(ExpressionSlot, WHERE_BODY, NO_EXPRESSION);
      return;
    default:
      g.take(K.INVOKE, option);
      parts.invoke = g.slot(InvocationsSlot, INVOCATIONS, NO_INVOCATIONS);
  }
}

export interface ConstructionRules {
  /** All clauses, each optional. */
  readonly construction: Rule<Construction>;
  readonly where: Rule<Expression>;
  readonly invoke: Rule<readonly Invocation[]>;
  /** SET, then WHERE; anything else is read for its refusal. */
  readonly setWhere: Rule<Parts>;
  /** As {@link setWhere}, with both optional. */
  readonly optionalSetWhere: Rule<Parts>;
  /** SET; anything else is read for its refusal. */
  readonly setOnly: Rule<Parts>;
}

/** Nothing to construct: the route's clauses are all absent. */
export const EMPTY_CONSTRUCTION: Construction = Object.freeze(noParts());

/** What a route does to build its output record. */
export function defineConstruction(g: GrammarHost): ConstructionRules {
  const construction = g.rule('construction', (): Construction => {
    const first = g.position;
    const parts = noParts();
    g.maybe(0, () => readClause(g, 0, parts));
    g.maybe(1, () => readClause(g, 1, parts));
    g.maybe(2, () => readClause(g, 2, parts));
    g.maybe(3, () => readClause(g, 3, parts));
    return g.position === first ? EMPTY_CONSTRUCTION : g.close(parts, first);
  });
  const where = g.rule('where', () => {
    g.take(K.WHERE);
    return g.slot(ExpressionSlot, WHERE_BODY, NO_EXPRESSION);
  });
  const invoke = g.rule('invoke', () => {
    g.take(K.INVOKE);
    return g.slot(InvocationsSlot, INVOCATIONS, NO_INVOCATIONS);
  });
  return {
    construction,
    where,
    invoke,
    setWhere: defineRestricted(g, 'setWhere', true),
    optionalSetWhere: g.rule('optionalSetWhere', () => {
      const parts = noParts();
      g.maybe(0, () => readClause(g, 0, parts, HIDDEN_INHERIT));
      g.maybe(1, () => readClause(g, 1, parts));
      g.maybe(2, () => readClause(g, 2, parts));
      g.maybe(3, () => readClause(g, 3, parts, HIDDEN_INVOKE));
      return parts;
    }),
    setOnly: defineRestricted(g, 'setOnly', false),
  };
}

/**
 * A construction whose clauses are limited. Every clause is read all the same, so that the refusal
 * can say what is wrong with the whole; those that do not belong here are not offered.
 */
function defineRestricted(g: GrammarHost, name: string, isWhereShown: boolean): Rule<Parts> {
  const words = ['INHERIT', 'SET', 'WHERE', 'INVOKE'];
  const optionOf = (clause: number, isFirst: boolean): Label | undefined => {
    const isShown = clause === 1 || (clause === 2 && isWhereShown && !isFirst);
    return isShown ? undefined : hidden(words[clause] ?? '');
  };
  return g.rule(name, () => {
    const parts = noParts();
    const from = (head: number) => ({
      ALT: () => {
        readClause(g, head, parts, optionOf(head, true));
        for (let clause = head + 1; clause < CLAUSE_COUNT; clause += 1) {
          const option = optionOf(clause, false);
          g.maybe(head * CLAUSE_COUNT + clause, () => readClause(g, clause, parts, option));
        }
      },
    });
    g.choose(0, [from(1), from(0), from(2), from(3)]);
    return parts;
  });
}

/** Whether a construction has assignments to targets of these scopes and nothing else. */
export function hasOnlySet(parts: Parts, scopes: readonly (string | null)[]): boolean {
  return (
    parts.inherit === null &&
    parts.where === null &&
    parts.invoke.length === 0 &&
    parts.set.length > 0 &&
    parts.set.every(({ target }) => scopes.includes(target.scope))
  );
}
