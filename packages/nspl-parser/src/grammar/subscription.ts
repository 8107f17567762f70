import type { Statement, SubscriptionDelivery } from '@nervix/model';
import { keyword, NumberToken } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import type { RouteRules } from './route.js';

const NAME = label('session_subscription_name');
const SUBSCRIPTION = label('ref:session_subscription');
const RELAY = label('ref:relay');
const RATE = label('number_literal');

/** CREATE SUBSCRIPTION and DELETE SUBSCRIPTION. */
export function defineSubscription(g: GrammarHost, routes: RouteRules): Rule<Statement>[] {
  const create = g.rule('createSubscription', (): Statement => {
    g.phrase(label('CREATE SUBSCRIPTION'), [keyword('CREATE'), keyword('SUBSCRIPTION')]);
    const name = g.name(NAME);
    g.take(keyword('TO'));
    const relay = g.relayName(RELAY);
    const delivery =
      g.maybe(0, () =>
        g.choose<SubscriptionDelivery>(0, [
          { ALT: () => g.takeAs(keyword('BLOCKING'), 'BLOCKING') },
          { ALT: () => g.takeAs(keyword('DROPPING'), 'DROPPING') },
        ]),
      ) ?? 'BLOCKING';
    const batchSampleRate = g.maybe(1, () => takeSampleRate(g)) ?? null;
    const where = g.maybe(2, () => g.call(routes.where)) ?? null;
    return { kind: 'create_subscription', name, relay, delivery, batchSampleRate, where };
  });
  const remove = g.rule('deleteSubscription', (): Statement => {
    g.phrase(label('DELETE SUBSCRIPTION'), [keyword('DELETE'), keyword('SUBSCRIPTION')]);
    return { kind: 'delete_subscription', name: g.name(SUBSCRIPTION) };
  });
  return [create, remove];
}

function takeSampleRate(g: GrammarHost): number {
  g.take(keyword('BATCH'));
  g.phrase(label('SAMPLE RATE'), [keyword('SAMPLE'), keyword('RATE')]);
  const rate = Number(g.take(NumberToken, RATE).image);
  if (!(rate >= 0 && rate <= 1)) g.refuse('batch sample rate must be between 0.0 and 1.0');
  return rate;
}
