import type { AckParticipation, CorrelatorModel, UnmatchedPolicy } from '@nervix/model';
import { Comma, keywords } from '../tokens.js';
import { ExpressionSlot, NO_EXPRESSION } from './expression.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import { type RouteRules, SET_ONLY } from './route.js';

const K = keywords(
  'CORRELATOR',
  'LEFT',
  'RIGHT',
  'FROM',
  'MATCH',
  'EARLIEST',
  'LATEST',
  'MAX',
  'TIME',
  'DROP',
);
const PHRASE_CORRELATE_WHERE = phraseOf('CORRELATE WHERE');
const PHRASE_ON_CORRELATION_TIMEOUT = phraseOf('ON CORRELATION TIMEOUT');
const PHRASE_SEND_TO = phraseOf('SEND TO');

const NAME = label('correlator_name');
const CONDITION = label('correlate_expression');
const RELAY = label('ref:relay');

/** `CORRELATOR name LEFT FROM … RIGHT FROM … CORRELATE WHERE … MATCH … MAX TIME …`. */
export function defineCorrelator(
  g: GrammarHost,
  literals: LiteralRules,
  rules: { readonly routes: RouteRules; readonly processors: ProcessorClauseRules },
): Rule<CorrelatorModel, [AckParticipation]> {
  const pairing = definePairing(g, literals);
  return g.rule('correlator', (acknowledgement: AckParticipation): CorrelatorModel => {
    g.take(K.CORRELATOR);
    const name = g.name(NAME);
    g.take(K.LEFT);
    g.take(K.FROM);
    const left = g.call(rules.routes.inputs);
    g.take(K.RIGHT);
    g.take(K.FROM);
    const right = g.call(rules.routes.inputs);
    const { correlateWhere, match, maxTime, onTimeout } = g.call(pairing);
    const { branching, dependencies } = g.call(rules.processors.setting);
    const outputs = g.oneOrMore(0, () => g.callWith(rules.routes.setOnlyRoute, SET_ONLY));
    const model: CorrelatorModel = {
      kind: 'correlator',
      name,
      acknowledgement,
      left,
      right,
      correlateWhere,
      match,
      maxTime,
      onTimeout,
      branching,
      dependencies,
      routes: outputs,
    };
    return g.close(model, 0);
  });
}

type Pairing = Pick<CorrelatorModel, 'correlateWhere' | 'match' | 'maxTime' | 'onTimeout'>;

/** How rows of the two sides find each other and what becomes of those that do not. */
function definePairing(g: GrammarHost, literals: LiteralRules): Rule<Pairing> {
  const unmatched = defineUnmatched(g);
  return g.rule('pairing', (): Pairing => {
    g.phrase(PHRASE_CORRELATE_WHERE);
    const correlateWhere = g.slot(ExpressionSlot, CONDITION, NO_EXPRESSION);
    g.take(K.MATCH);
    const match = g.choose<CorrelatorModel['match']>(0, [
      { ALT: () => g.takeAs(K.EARLIEST, 'EARLIEST') },
      { ALT: () => g.takeAs(K.LATEST, 'LATEST') },
    ]);
    g.take(K.MAX);
    g.take(K.TIME);
    const maxTime = g.call(literals.duration);
    g.phrase(PHRASE_ON_CORRELATION_TIMEOUT);
    const left = g.call(unmatched);
    g.take(Comma);
    const right = g.call(unmatched);
    return { correlateWhere, match, maxTime, onTimeout: Object.freeze({ left, right }) };
  });
}

function defineUnmatched(g: GrammarHost): Rule<UnmatchedPolicy> {
  const drop: UnmatchedPolicy = Object.freeze({ kind: 'drop' });
  return g.rule('unmatchedPolicy', () =>
    g.choose<UnmatchedPolicy>(0, [
      { ALT: () => g.takeAs(K.DROP, drop) },
      {
        ALT: () => {
          g.phrase(PHRASE_SEND_TO);
          return Object.freeze({ kind: 'send_to', relay: g.relayName(RELAY) });
        },
      },
    ]),
  );
}
