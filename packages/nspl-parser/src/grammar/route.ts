import type {
  AckParticipation,
  Assignment,
  Branching,
  Collect,
  Construction,
  EntryRoute,
  Expression,
  Flush,
  FlushedRoute,
  GeneralErrorPolicy,
  Inherit,
  InputRelay,
  Inputs,
  Invocation,
  MaterializedDependency,
  MessageErrorPolicy,
  RouteBranch,
  WindowRoute,
} from '@nervix/model';
import { keywords, LeftBrace, RightBrace } from '../tokens.js';
import {
  AssignmentsSlot,
  ExpressionSlot,
  InheritSlot,
  InvocationsSlot,
  NO_EXPRESSION,
} from './expression.js';
import {
  type GrammarHost,
  hidden,
  type Label,
  label,
  phraseOf,
  type Rule,
} from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords(
  'INHERIT',
  'SET',
  'WHERE',
  'INVOKE',
  'FILTER',
  'UNBRANCHED',
  'REQUIRED',
  'USING',
  'MATERIALIZED',
  'STATE',
  'DEFAULT',
  'ON',
  'MESSAGE',
  'ERROR',
  'IGNORE',
  'LOG',
  'GENERAL',
  'TO',
  'ATTACHED',
  'DETACHED',
);
const PHRASE_COLLECT_FOR = phraseOf('COLLECT FOR');
const PHRASE_BRANCHED_BY = phraseOf('BRANCHED BY');
const PHRASE_MAX_BATCH_SIZE = phraseOf('MAX BATCH SIZE');
const PHRASE_FLUSH_EACH = phraseOf('FLUSH EACH');
const PHRASE_FLUSH_IMMEDIATE = phraseOf('FLUSH IMMEDIATE');
const PHRASE_SEND_TO = phraseOf('SEND TO');

const RELAY = label('ref:relay');
const BRANCH = label('ref:branch');
const WHERE_BODY = label('where_expression');
const SET_BODY = label('set_assignments');
const INHERIT_TARGETS = label('inherit_targets');
const INVOCATIONS = label('invocations');
const DEFAULT_ASSIGNMENTS = label('default_assignments');

export interface RouteRules {
  readonly inputs: Rule<Inputs>;
  readonly filter: Rule<Expression>;
  readonly branching: Rule<Branching>;
  readonly dependency: Rule<MaterializedDependency>;
  readonly construction: Rule<Construction>;
  readonly where: Rule<Expression>;
  readonly invoke: Rule<readonly Invocation[]>;
  readonly flush: Rule<Flush>;
  readonly messageError: Rule<MessageErrorPolicy>;
  readonly generalError: Rule<GeneralErrorPolicy>;
  readonly flushedRoute: Rule<FlushedRoute>;
  readonly entryRoute: Rule<EntryRoute>;
  readonly windowRoute: Rule<WindowRoute>;
  /** `SEND TO relay SET …`, whose assignments are bare. */
  readonly sendTo: Rule<{ readonly relay: string; readonly set: readonly Assignment[] }, [string]>;
}

/** Clauses that sources, processors and sinks share. */
export function defineRoutes(g: GrammarHost, literals: LiteralRules): RouteRules {
  const clauses = defineConstruction(g);
  const inputs = defineInputs(g, literals, clauses);
  const flush = defineFlush(g, literals);
  const errors = defineErrors(g, clauses);
  const shared = { ...clauses, ...inputs, flush, ...errors };
  return { ...shared, ...defineRouteForms(g, shared) };
}

interface Parts {
  inherit: Inherit | null;
  set: readonly Assignment[];
  where: Expression | null;
  invoke: readonly Invocation[];
}

const CLAUSE_COUNT = 4;
const NO_ASSIGNMENTS: readonly Assignment[] = Object.freeze([]);
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

interface ConstructionRules {
  readonly construction: Rule<Construction>;
  readonly where: Rule<Expression>;
  readonly invoke: Rule<readonly Invocation[]>;
  readonly setWhere: Rule<Parts>;
  readonly setOnly: Rule<Parts>;
}

/** Nothing to construct: the route's clauses are all absent. */
export const EMPTY_CONSTRUCTION: Construction = Object.freeze(noParts());

function defineConstruction(g: GrammarHost): ConstructionRules {
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

function hasOnlySet(parts: Parts, scopes: readonly (string | null)[]): boolean {
  return (
    parts.inherit === null &&
    parts.where === null &&
    parts.invoke.length === 0 &&
    parts.set.length > 0 &&
    parts.set.every(({ target }) => scopes.includes(target.scope))
  );
}

function defineInputs(g: GrammarHost, literals: LiteralRules, clauses: ConstructionRules) {
  const inputRelay = g.rule('inputRelay', (): InputRelay => {
    const first = g.position;
    const relay = g.relayName(RELAY);
    const where = g.maybe(0, () => g.call(clauses.where)) ?? null;
    return g.close({ relay, where }, first);
  });
  const collect = g.rule('collect', (): Collect => {
    const first = g.position;
    g.phrase(PHRASE_COLLECT_FOR);
    const interval = g.call(literals.duration);
    const maxBatchSize = g.maybe(0, () => takeMaxBatchSize(g, literals)) ?? null;
    return g.close({ interval, maxBatchSize }, first);
  });
  const inputs = g.rule('inputs', (): Inputs => {
    const first = g.position;
    const relays = g.commaList(0, () => g.call(inputRelay));
    const collected = g.maybe(0, () => g.call(collect)) ?? null;
    return g.close({ relays, collect: collected }, first);
  });
  const filter = g.rule('filter', () => {
    g.take(K.FILTER);
    return g.call(clauses.where);
  });
  const branching = g.rule('branching', () => g.choose<Branching>(0, branchingForms(g)));
  return { inputs, filter, branching, dependency: defineDependency(g) };
}

const UNBRANCHED: Branching = Object.freeze({ kind: 'unbranched' });

function branchingForms(g: GrammarHost): { ALT: () => Branching }[] {
  return [
    {
      ALT: () => {
        g.phrase(PHRASE_BRANCHED_BY);
        return Object.freeze({ kind: 'branched_by', branch: g.name(BRANCH) });
      },
    },
    {
      ALT: () => {
        g.take(K.UNBRANCHED);
        return UNBRANCHED;
      },
    },
  ];
}

function defineDependency(g: GrammarHost): Rule<MaterializedDependency> {
  type Policy = MaterializedDependency['policy'];
  const required = (text: string, kind: 'required_skip' | 'required_wait') => {
    const words = phraseOf(text);
    const policy: Policy = Object.freeze({ kind });
    return {
      ALT: () => {
        g.phrase(words);
        return policy;
      },
    };
  };
  const skip = required('REQUIRED SKIP', 'required_skip');
  const wait = required('REQUIRED WAIT', 'required_wait');
  return g.rule('materializedDependency', (): MaterializedDependency => {
    const first = g.position;
    g.take(K.USING);
    g.take(K.MATERIALIZED);
    g.take(K.STATE);
    const relay = g.relayName(RELAY);
    const policy = g.choose<Policy>(0, [
      skip,
      wait,
      {
        ALT: () => {
          g.take(K.DEFAULT);
          g.take(LeftBrace);
          const bodyFirst = g.position;
          const values = g.slot(AssignmentsSlot, DEFAULT_ASSIGNMENTS, NO_ASSIGNMENTS);
          if (values.some(({ target }) => target.scope !== null)) {
            g.refuse('materialized-state DEFAULT requires bare constant assignments', bodyFirst);
          }
          g.take(RightBrace);
          return Object.freeze({ kind: 'default', values });
        },
      },
    ]);
    return g.close({ relay, policy }, first);
  });
}

function takeMaxBatchSize(g: GrammarHost, literals: LiteralRules): string {
  g.phrase(PHRASE_MAX_BATCH_SIZE);
  return g.call(literals.byteSize);
}

function defineFlush(g: GrammarHost, literals: LiteralRules): Rule<Flush> {
  const immediate: Flush = Object.freeze({ kind: 'immediate' });
  return g.rule('flush', () =>
    g.choose<Flush>(0, [
      {
        ALT: () => {
          g.phrase(PHRASE_FLUSH_EACH);
          const interval = g.call(literals.duration);
          const maxBatchSize = takeMaxBatchSize(g, literals);
          return Object.freeze({ kind: 'each', interval, maxBatchSize });
        },
      },
      {
        ALT: () => {
          g.phrase(PHRASE_FLUSH_IMMEDIATE);
          return immediate;
        },
      },
    ]),
  );
}

function defineErrors(g: GrammarHost, clauses: ConstructionRules) {
  const ignore = Object.freeze({ kind: 'ignore' as const });
  const log = Object.freeze({ kind: 'log' as const });
  const sendTo: RouteRules['sendTo'] = g.rule('sendTo', (message: string) => {
    g.phrase(PHRASE_SEND_TO);
    const relay = g.relayName(RELAY);
    const first = g.position;
    const parts = g.call(clauses.setOnly);
    if (!g.isRecording && !hasOnlySet(parts, [null])) g.refuse(message, first);
    return { relay, set: parts.set };
  });
  const messageError = g.rule('messageError', () => {
    g.take(K.ON);
    g.take(K.MESSAGE);
    g.take(K.ERROR);
    return g.choose<MessageErrorPolicy>(0, [
      { ALT: () => g.takeAs(K.IGNORE, ignore) },
      { ALT: () => g.takeAs(K.LOG, log) },
      {
        ALT: () => {
          const message = 'ON MESSAGE ERROR SEND TO requires bare SET assignments only';
          const { relay, set } = g.callWith(sendTo, message);
          return Object.freeze({ kind: 'send_to', relay, set });
        },
      },
    ]);
  });
  const generalError = g.rule('generalError', () => {
    g.take(K.ON);
    g.take(K.GENERAL);
    g.take(K.ERROR);
    return g.choose<GeneralErrorPolicy>(0, [
      { ALT: () => g.takeAs(K.IGNORE, 'IGNORE') },
      { ALT: () => g.takeAs(K.LOG, 'LOG') },
    ]);
  });
  return { sendTo, messageError, generalError };
}

type RouteParts = ConstructionRules & {
  readonly flush: Rule<Flush>;
  readonly messageError: Rule<MessageErrorPolicy>;
};

function defineRouteForms(g: GrammarHost, rules: RouteParts) {
  const flushedRoute = g.rule('flushedRoute', (): FlushedRoute => {
    const first = g.position;
    g.take(K.TO);
    const relay = g.relayName(RELAY);
    const construction = g.call(rules.construction);
    const flush = g.call(rules.flush);
    const messageError = g.call(rules.messageError);
    return g.close({ relay, construction, flush, messageError }, first);
  });
  const entryBranch = defineEntryBranch(g, rules);
  const entryRoute = g.rule('entryRoute', (): EntryRoute => {
    const first = g.position;
    g.take(K.TO);
    const relay = g.relayName(RELAY);
    const construction = g.call(rules.construction);
    const branch = g.call(entryBranch);
    const flush = g.call(rules.flush);
    const messageError = g.call(rules.messageError);
    return g.close({ relay, construction, branch, flush, messageError }, first);
  });
  const windowRoute = g.rule('windowRoute', (): WindowRoute => {
    const first = g.position;
    g.take(K.TO);
    const relay = g.relayName(RELAY);
    const bodyFirst = g.position;
    const parts = g.call(rules.setWhere);
    if (!g.isRecording) {
      if (!hasOnlySet({ ...parts, where: null }, [null, 'message', 'output', 'branch'])) {
        g.refuse('set-only output route may contain SET assignments and WHERE only', bodyFirst);
      }
      g.close(parts, bodyFirst);
    }
    const messageError = g.call(rules.messageError);
    return g.close({ relay, construction: parts, messageError }, first);
  });
  return { flushedRoute, entryRoute, windowRoute };
}

function defineEntryBranch(g: GrammarHost, rules: ConstructionRules): Rule<RouteBranch> {
  const branchSet = (): readonly Assignment[] => {
    const first = g.position;
    const parts = g.call(rules.setOnly);
    if (!g.isRecording && !hasOnlySet(parts, [null, 'branch'])) {
      const message =
        'branch construction accepts SET assignments with bare or branch targets only';
      g.refuse(message, first);
    }
    return parts.set;
  };
  const unbranched: RouteBranch = Object.freeze({ kind: 'unbranched' });
  return g.rule('entryBranch', () =>
    g.choose<RouteBranch>(0, [
      {
        ALT: () => {
          g.phrase(PHRASE_BRANCHED_BY);
          const branch = g.name(BRANCH);
          const set = g.maybe(0, branchSet) ?? NO_ASSIGNMENTS;
          return Object.freeze({ kind: 'branched_by', branch, set });
        },
      },
      { ALT: () => g.takeAs(K.UNBRANCHED, unbranched) },
    ]),
  );
}

/** The acknowledgement prefix of a node, ATTACHED when it is left out. */
export function takeAcknowledgement(g: GrammarHost, index: number): AckParticipation {
  return (
    g.maybe(index, () =>
      g.choose<AckParticipation>(index, [
        { ALT: () => g.takeAs(K.ATTACHED, 'ATTACHED') },
        { ALT: () => g.takeAs(K.DETACHED, 'DETACHED') },
      ]),
    ) ?? 'ATTACHED'
  );
}
