import type {
  AlterModelStatement,
  DeduplicatorOperation,
  JunctionOperation,
  ReordererOperation,
  SetMaxTime,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { ExpressionListSlot } from '../expression.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import type { RouteRules } from '../route.js';
import { type ConsumerOperationRules, takeRoute } from './consumer-operation.js';
import { type Alternative, takeOperations } from './operation-list.js';

const K = keywords('JUNCTION', 'DEDUPLICATOR', 'REORDERER', 'ADD', 'SET', 'REPLACE', 'BY');
const PHRASE_DEDUPLICATE_ON = phraseOf('DEDUPLICATE ON');
const PHRASE_MAX_TIME = phraseOf('MAX TIME');

const JUNCTION = label('ref:junction');
const DEDUPLICATOR = label('ref:deduplicator');
const REORDERER = label('ref:reorderer');
const DEDUPLICATE_ON = label('deduplicate_on');
const REORDER_BY = label('reorder_by');

/** `JUNCTION name …`, `DEDUPLICATOR name …` and `REORDERER name …`. */
export function defineAlterProcessors(
  g: GrammarHost,
  literals: LiteralRules,
  rules: { readonly routes: RouteRules; readonly consumers: ConsumerOperationRules },
): readonly Rule<AlterModelStatement>[] {
  const operationsOf = defineOperationsOf(g, rules.routes, rules.consumers);
  const junction = operationsOf<JunctionOperation>('junctionOperation', []);
  const deduplicator = operationsOf<DeduplicatorOperation>('deduplicatorOperation', [
    {
      ALT: () => {
        g.phrase(PHRASE_DEDUPLICATE_ON);
        const keys = g.slot(ExpressionListSlot, DEDUPLICATE_ON, []);
        return { op: 'set_deduplicate_on', keys };
      },
    },
    { ALT: () => takeMaxTime(g, literals) },
  ]);
  const reorderer = operationsOf<ReordererOperation>('reordererOperation', [
    {
      ALT: () => {
        g.take(K.BY);
        return { op: 'set_by', keys: g.slot(ExpressionListSlot, REORDER_BY, []) };
      },
    },
    { ALT: () => takeMaxTime(g, literals) },
  ]);
  return [
    g.rule('alterJunction', (): AlterModelStatement => {
      g.take(K.JUNCTION);
      const name = g.name(JUNCTION);
      const operations = takeOperations(g, junction);
      return { kind: 'alter_model', modelKind: 'junction', name, operations };
    }),
    g.rule('alterDeduplicator', (): AlterModelStatement => {
      g.take(K.DEDUPLICATOR);
      const name = g.name(DEDUPLICATOR);
      const operations = takeOperations(g, deduplicator);
      return { kind: 'alter_model', modelKind: 'deduplicator', name, operations };
    }),
    g.rule('alterReorderer', (): AlterModelStatement => {
      g.take(K.REORDERER);
      const name = g.name(REORDERER);
      const operations = takeOperations(g, reorderer);
      return { kind: 'alter_model', modelKind: 'reorderer', name, operations };
    }),
  ];
}

function takeMaxTime(g: GrammarHost, literals: LiteralRules): SetMaxTime {
  g.phrase(PHRASE_MAX_TIME);
  return { op: 'set_max_time', maxTime: g.call(literals.duration) };
}

/** Operations of processors that keep a branch and flush; `own` are the settings of one kind. */
function defineOperationsOf(
  g: GrammarHost,
  routes: RouteRules,
  consumers: ConsumerOperationRules,
): <Op extends object>(
  name: string,
  own: readonly Alternative<Op>[],
) => Rule<Op | JunctionOperation> {
  const takeFlushedRoute = () => g.call(routes.flushedRoute);
  const addition = g.rule('processorAddition', () => {
    g.take(K.ADD);
    return g.choose<JunctionOperation>(0, [
      { ALT: () => g.call(consumers.addInput) },
      { ALT: () => g.call(consumers.addDependency) },
      { ALT: () => takeRoute(g, 'add_route', takeFlushedRoute) },
    ]);
  });
  const replacement = g.rule('processorReplacement', (): JunctionOperation => {
    g.take(K.REPLACE);
    return takeRoute(g, 'replace_route', takeFlushedRoute);
  });
  const shared: readonly Alternative<JunctionOperation>[] = [
    { ALT: () => g.call(consumers.setCollect) },
    { ALT: () => ({ op: 'set_filter', filter: g.call(routes.filter) }) },
    { ALT: () => g.call(consumers.setAcknowledgement) },
    { ALT: () => ({ op: 'set_branching', branching: g.call(routes.branching) }) },
  ];
  return <Op extends object>(name: string, own: readonly Alternative<Op>[]) => {
    const settings: Alternative<Op | JunctionOperation>[] = [...shared, ...own];
    const heads: Alternative<Op | JunctionOperation>[] = [
      { ALT: () => g.call(addition) },
      { ALT: () => g.call(consumers.removal) },
      { ALT: () => g.call(consumers.change) },
      {
        ALT: () => {
          g.take(K.SET);
          return g.choose(1, settings);
        },
      },
      { ALT: () => g.call(replacement) },
    ];
    return g.rule(name, () => {
      const first = g.position;
      return g.close(g.choose(0, heads), first);
    });
  };
}
