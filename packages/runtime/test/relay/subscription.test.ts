import { describe, expect, test } from 'vitest';
import { Relay } from '../../src/relay/relay.js';
import {
  SUBSCRIPTION_CREDIT_BYTES,
  Subscription,
  type SubscriptionEvent,
} from '../../src/relay/subscription.js';
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

describe('a BLOCKING view whose credit is used up', () => {
  /** A view in the middle of a batch of three frames, of which the credit let one go. */
  const stalled = () => {
    const relay = new Relay('events', 1, { admitted: () => undefined, fannedOut: () => undefined });
    const events: SubscriptionEvent[] = [];
    const subscription = new Subscription({
      request: {
        domain: 'd',
        relay: 'events',
        delivery: 'BLOCKING',
        sampleRate: null,
        where: null,
      },
      schema: IDS,
      branchSchema: null,
      snapshot: () => ({ generation: 1, nowNanos: 0n, randomBytes: (n) => new Uint8Array(n) }),
      losses: { value: 0 },
      emit: (event) => events.push(event),
    });
    subscription.credit(1 - SUBSCRIPTION_CREDIT_BYTES);
    subscription.attach(relay);
    void relay.publish(relayBatch(Array.from({ length: 600 }, (_, id) => id)));
    expect(events).toMatchObject([{ kind: 'rows', rowCount: 256 }]);
    return { events, subscription };
  };
  const kinds = (events: readonly SubscriptionEvent[]) => events.map(({ kind }) => kind);

  test('sends nothing after the event that says it ended (CL-55)', () => {
    const { events, subscription } = stalled();
    subscription.end('relay_changed');
    subscription.credit(SUBSCRIPTION_CREDIT_BYTES);
    expect(kinds(events)).toEqual(['rows', 'ended']);
  });

  test('sends nothing after it was closed', () => {
    const { events, subscription } = stalled();
    subscription.close();
    subscription.credit(SUBSCRIPTION_CREDIT_BYTES);
    expect(kinds(events)).toEqual(['rows']);
  });

  test('sends the rest of its batch though it goes over to another relay (CL-53, CL-55)', () => {
    const { events, subscription } = stalled();
    subscription.detach();
    subscription.attach(
      new Relay('events', 1, { admitted: () => undefined, fannedOut: () => undefined }),
    );
    subscription.credit(SUBSCRIPTION_CREDIT_BYTES);
    expect(events.map((event) => ('rowCount' in event ? event.rowCount : 0))).toEqual([
      256, 256, 88,
    ]);
  });
});
