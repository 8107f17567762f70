import { expect, test } from 'vitest';
import { Relay } from '../../src/relay/relay.js';
import { Subscription, type SubscriptionEvent } from '../../src/relay/subscription.js';
import { IDS, idsOf, openInput, relayBatch } from '../support/batches.js';

test.each(['DROPPING', 'BLOCKING'] as const)(
  'a %s view that cannot show its rows loses them and disturbs nobody else',
  (delivery) => {
    const relay = new Relay('events', 1, { admitted: () => undefined, fannedOut: () => undefined });
    const input = openInput(relay, true, () => undefined);
    const events: SubscriptionEvent[] = [];
    const losses = { value: 0 };
    let fault: Error | null = new RangeError('too long');
    const subscription = new Subscription({
      request: { domain: 'd', relay: 'events', delivery, sampleRate: null, where: null },
      schema: IDS,
      branchSchema: null,
      snapshot: () => {
        if (fault !== null) throw fault;
        return { generation: 1, nowNanos: 0n, randomBytes: (count) => new Uint8Array(count) };
      },
      losses,
      emit: (event) => events.push(event),
    });
    subscription.attach(relay);
    void relay.publish(relayBatch([1, 2]));
    expect(idsOf(input.take()!.batch)).toEqual([1, 2]);
    expect(losses.value).toBe(2);
    fault = null;
    void relay.publish(relayBatch([3]));
    expect(idsOf(input.take()!.batch)).toEqual([3]);
    expect(events).toMatchObject([
      { kind: 'lost', rowCount: 2 },
      { kind: 'rows', rowCount: 1 },
    ]);
  },
);
