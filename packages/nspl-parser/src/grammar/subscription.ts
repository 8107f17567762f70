import type { Statement, SubscriptionDelivery } from '@nervix/model';
import { keywords, NumberToken } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { RouteRules } from './route.js';

const K = keywords('TO', 'BLOCKING', 'DROPPING', 'BATCH');
const PHRASE_CREATE_SUBSCRIPTION = phraseOf('CREATE SUBSCRIPTION');
const PHRASE_DELETE_SUBSCRIPTION = phraseOf('DELETE SUBSCRIPTION');
const PHRASE_SAMPLE_RATE = phraseOf('SAMPLE RATE');

const NAME = label('session_subscription_name');
const SUBSCRIPTION = label('ref:session_subscription');
const RELAY = label('ref:relay');
const RATE = label('number_literal');

/** CREATE SUBSCRIPTION and DELETE SUBSCRIPTION. */
export function defineSubscription(g: GrammarHost, routes: RouteRules): Rule<Statement>[] {
  const create = g.rule('createSubscription', (): Statement => {
    g.phrase(PHRASE_CREATE_SUBSCRIPTION);
    const name = g.name(NAME);
    g.take(K.TO);
    const relay = g.relayName(RELAY);
    const delivery =
      g.maybe(0, () =>
        g.choose<SubscriptionDelivery>(0, [
          { ALT: () => g.takeAs(K.BLOCKING, 'BLOCKING') },
          { ALT: () => g.takeAs(K.DROPPING, 'DROPPING') },
        ]),
      ) ?? 'BLOCKING';
    const batchSampleRate = g.maybe(1, () => takeSampleRate(g)) ?? null;
    const where = g.maybe(2, () => g.call(routes.where)) ?? null;
    return { kind: 'create_subscription', name, relay, delivery, batchSampleRate, where };
  });
  const remove = g.rule('deleteSubscription', (): Statement => {
    g.phrase(PHRASE_DELETE_SUBSCRIPTION);
    return { kind: 'delete_subscription', name: g.name(SUBSCRIPTION) };
  });
  return [create, remove];
}

function takeSampleRate(g: GrammarHost): number {
  g.take(K.BATCH);
  g.phrase(PHRASE_SAMPLE_RATE);
  const rate = Number(g.take(NumberToken, RATE).image);
  if (!(rate >= 0 && rate <= 1)) g.refuse('batch sample rate must be between 0.0 and 1.0');
  return rate;
}
