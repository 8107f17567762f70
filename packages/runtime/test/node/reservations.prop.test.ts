import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { type Reservation, Reservations } from '../../src/node/reservations.js';

type Action =
  | { readonly kind: 'arrive'; readonly key: string }
  | { readonly kind: 'ack' | 'nack'; readonly pick: number }
  | { readonly kind: 'wait'; readonly nanos: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((key): Action => ({ kind: 'arrive', key })),
  fc.nat(20).map((pick): Action => ({ kind: 'ack', pick })),
  fc.nat(20).map((pick): Action => ({ kind: 'nack', pick })),
  fc.nat(30).map((nanos): Action => ({ kind: 'wait', nanos })),
);

describe('deduplicator reservations', () => {
  test.prop([fc.array(action, { maxLength: 120 })])(
    'no key is delivered twice within its time, and no waiting row is lost (RT-93, RT-94, RT-226)',
    (actions) => {
      const maxTime = 50n;
      const reservations = new Reservations<number>();
      const open: { row: number; reservation: Reservation<number> }[] = [];
      const keyOf = new Map<number, string>();
      const resolved = new Map<number, string>();
      const confirmedAt = new Map<string, bigint>();
      let now = 0n;
      let nextRow = 0;
      const resolve = (row: number, outcome: string): void => {
        expect(resolved.has(row)).toBe(false);
        resolved.set(row, outcome);
      };
      const settle = (pick: number, isAck: boolean): void => {
        if (open.length === 0) return;
        const [{ row, reservation }] = open.splice(pick % open.length, 1) as [(typeof open)[0]];
        if (isAck) {
          resolve(row, 'delivered');
          const last = confirmedAt.get(reservation.key);
          if (last !== undefined)
            expect(reservation.seenAtNanos - last).toBeGreaterThanOrEqual(maxTime);
          confirmedAt.set(reservation.key, reservation.seenAtNanos);
          for (const parked of reservations.confirm(reservation)) resolve(parked, 'suppressed');
          return;
        }
        resolve(row, 'failed');
        const next = reservations.release(reservation, now);
        if (next !== undefined) open.push({ row: next, reservation });
      };
      for (const each of actions) {
        if (each.kind === 'wait') now += BigInt(each.nanos);
        else if (each.kind !== 'arrive') settle(each.pick, each.kind === 'ack');
        else {
          reservations.prune(now, maxTime);
          const row = nextRow++;
          keyOf.set(row, each.key);
          const arrival = reservations.arrive(each.key, now, () => row);
          if (arrival.kind === 'suppress') resolve(row, 'suppressed');
          if (arrival.kind === 'forward') {
            expect(open.some(({ reservation }) => reservation.key === each.key)).toBe(false);
            open.push({ row, reservation: arrival.reservation });
          }
        }
        expect(reservations.unconfirmed).toBe(open.length);
      }
      while (open.length > 0) settle(0, true);
      expect(reservations.parked).toBe(0);
      expect(resolved.size).toBe(nextRow);
    },
  );

  test('the oldest waiting row takes a released reservation over, with its own time (RT-226)', () => {
    const reservations = new Reservations<string>();
    const arrival = reservations.arrive('k', 10n, () => 'first');
    if (arrival.kind !== 'forward') throw new Error('the first row is forwarded');
    reservations.arrive('k', 11n, () => 'second');
    reservations.arrive('k', 12n, () => 'third');
    expect(reservations.release(arrival.reservation, 20n)).toBe('second');
    expect(arrival.reservation.seenAtNanos).toBe(20n);
    expect(reservations.confirm(arrival.reservation)).toEqual(['third']);
    expect(reservations.confirmedKeys()).toEqual(new Map([['k', 20n]]));
  });

  test('a hit does not refresh the time, and a carried history suppresses (RT-93, RT-96)', () => {
    const reservations = new Reservations<string>();
    reservations.restore(new Map([['k', 0n]]));
    reservations.prune(49n, 50n);
    expect(reservations.arrive('k', 49n, () => 'row').kind).toBe('suppress');
    reservations.prune(50n, 50n);
    expect(reservations.arrive('k', 50n, () => 'row').kind).toBe('forward');
  });
});
