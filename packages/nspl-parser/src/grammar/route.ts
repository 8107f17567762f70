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
  InputRelay,
  Inputs,
  Invocation,
  MaterializedDependency,
  MessageErrorPolicy,
  RouteBranch,
  UnflushedRoute,
} from '@nervix/model';
import type { TokenType } from 'chevrotain';
import { keywords, LeftBrace, RightBrace } from '../tokens.js';
import {
  type ConstructionRules,
  defineConstruction,
  EMPTY_CONSTRUCTION,
  hasOnlySet,
  NO_ASSIGNMENTS,
} from './construction.js';
import { BracedAssignmentsSlot } from './expression.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords(
  'FILTER',
  'UNBRANCHED',
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
  'GLOBAL',
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
const DEFAULT_ASSIGNMENTS = label('default_assignments');

export interface RouteRules {
  readonly inputs: Rule<Inputs>;
  readonly collect: Rule<Collect>;
  readonly filter: Rule<Expression>;
  readonly branching: Rule<Branching>;
  readonly dependency: Rule<MaterializedDependency>;
  /** What a dependency on a materialized state does while there is none. */
  readonly dependencyPolicy: Rule<MaterializedDependency['policy']>;
  readonly construction: Rule<Construction>;
  readonly where: Rule<Expression>;
  readonly invoke: Rule<readonly Invocation[]>;
  readonly flush: Rule<Flush>;
  readonly messageError: Rule<MessageErrorPolicy>;
  readonly generalError: Rule<GeneralErrorPolicy>;
  readonly globalError: Rule<GeneralErrorPolicy>;
  readonly flushedRoute: Rule<FlushedRoute>;
  readonly entryRoute: Rule<EntryRoute>;
  /** Constructs by SET and WHERE; takes the message for one without SET. */
  readonly setOnlyRoute: Rule<FlushedRoute, [string]>;
  readonly unflushedRoute: Rule<UnflushedRoute>;
  readonly wasmRoute: Rule<UnflushedRoute>;
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
  return { inputs, collect, filter, branching, ...defineDependency(g) };
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

function defineDependency(g: GrammarHost) {
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
  const alternatives = [
    required('REQUIRED SKIP', 'required_skip'),
    required('REQUIRED WAIT', 'required_wait'),
    {
      ALT: (): Policy => {
        g.take(K.DEFAULT);
        g.take(LeftBrace);
        const bodyFirst = g.position;
        const values = g.slot(BracedAssignmentsSlot, DEFAULT_ASSIGNMENTS, NO_ASSIGNMENTS);
        if (values.some(({ target }) => target.scope !== null)) {
          g.refuse('materialized-state DEFAULT requires bare constant assignments', bodyFirst);
        }
        g.take(RightBrace);
        return Object.freeze({ kind: 'default', values });
      },
    },
  ];
  const dependencyPolicy = g.rule('dependencyPolicy', () => g.choose<Policy>(0, alternatives));
  const dependency = g.rule('materializedDependency', (): MaterializedDependency => {
    const first = g.position;
    g.take(K.USING);
    g.take(K.MATERIALIZED);
    g.take(K.STATE);
    const relay = g.relayName(RELAY);
    return g.close({ relay, policy: g.call(dependencyPolicy) }, first);
  });
  return { dependency, dependencyPolicy };
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
  const nodeError = (name: string, extent: TokenType) =>
    g.rule(name, () => {
      g.take(K.ON);
      g.take(extent);
      g.take(K.ERROR);
      return g.choose<GeneralErrorPolicy>(0, [
        { ALT: () => g.takeAs(K.IGNORE, 'IGNORE') },
        { ALT: () => g.takeAs(K.LOG, 'LOG') },
      ]);
    });
  const generalError = nodeError('generalError', K.GENERAL);
  const globalError = nodeError('globalError', K.GLOBAL);
  return { sendTo, messageError, generalError, globalError };
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
  return { flushedRoute, entryRoute, ...defineSetOnlyForms(g, rules) };
}

/** Message for a route of a new node that does not construct by SET and WHERE. */
export const SET_ONLY = 'set-only output route may contain SET assignments and WHERE only';

function defineSetOnlyForms(g: GrammarHost, rules: RouteParts) {
  const takeSetWhere = (noSetMessage: string): Construction => {
    const first = g.position;
    const parts = g.call(rules.setWhere);
    if (g.isRecording) return EMPTY_CONSTRUCTION;
    if (parts.set.length === 0) g.refuse(noSetMessage, first);
    if (parts.inherit !== null || parts.invoke.length > 0) g.refuse(SET_ONLY, first);
    return g.close(parts, first);
  };
  const takeOptionalSetWhere = (): Construction => {
    const first = g.position;
    const parts = g.call(rules.optionalSetWhere);
    if (g.isRecording || g.position === first) return EMPTY_CONSTRUCTION;
    const unsupported = 'WASM processor TO clauses do not support';
    if (parts.inherit !== null) g.refuse(`${unsupported} INHERIT`, first);
    if (parts.invoke.length > 0) g.refuse(`${unsupported} INVOKE`, first);
    return g.close(parts, first);
  };
  const setOnlyRoute = g.rule('setOnlyRoute', (noSetMessage: string): FlushedRoute => {
    const first = g.position;
    g.take(K.TO);
    const relay = g.relayName(RELAY);
    const construction = takeSetWhere(noSetMessage);
    const flush = g.call(rules.flush);
    const messageError = g.call(rules.messageError);
    return g.close({ relay, construction, flush, messageError }, first);
  });
  const unflushedRoute = g.rule('unflushedRoute', (): UnflushedRoute => {
    const first = g.position;
    g.take(K.TO);
    const relay = g.relayName(RELAY);
    const construction = takeSetWhere(SET_ONLY);
    const messageError = g.call(rules.messageError);
    return g.close({ relay, construction, messageError }, first);
  });
  const wasmRoute = g.rule('wasmRoute', (): UnflushedRoute => {
    const first = g.position;
    g.take(K.TO);
    const relay = g.relayName(RELAY);
    const construction = takeOptionalSetWhere();
    const messageError = g.call(rules.messageError);
    return g.close({ relay, construction, messageError }, first);
  });
  return { setOnlyRoute, unflushedRoute, wasmRoute };
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
