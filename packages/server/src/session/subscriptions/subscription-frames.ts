import {
  encodeServerFrame,
  type ServerBody,
  type SubscriptionEnded,
  type SubscriptionHandle,
} from '@nervix/protocol/session';
import type { SubscriptionEvent } from '@nervix/runtime/data-plane';

type CellsEvent = Extract<SubscriptionEvent, { readonly kind: 'cells' }>;

/** What a subscription is of, as its texts name it. */
export interface SubscriptionSubject {
  readonly handle: SubscriptionHandle;
  readonly domain: string;
  readonly relay: string;
}

const encode = (body: ServerBody): Uint8Array => encodeServerFrame({ body });

export function rowsFrame(
  { handle: subscription }: SubscriptionSubject,
  { rows, rowCount, branchKey }: CellsEvent,
): Uint8Array {
  return encode({
    t: 'SubscriptionRows',
    subscription,
    ...(branchKey === null ? {} : { branch_key: branchKey }),
    rows,
    row_count: rowCount,
  });
}

export function lostFrame({ handle: subscription }: SubscriptionSubject, rows: number): Uint8Array {
  return encode({ t: 'SubscriptionDeliveryLost', subscription, dropped_rows: BigInt(rows) });
}

export function skippedFrame(
  { handle: subscription }: SubscriptionSubject,
  cause: 'FilterFailed' | 'EncodingFailed',
  rows: number,
): Uint8Array {
  const { name } = subscription;
  const message =
    cause === 'FilterFailed'
      ? `session subscription '${name}' predicate failed on ${rows} row(s)`
      : `session subscription '${name}' left out ${rows} row(s) that no frame can hold`;
  const skipped_rows = BigInt(rows);
  return encode({ t: 'SubscriptionRowsSkipped', subscription, cause, skipped_rows, message });
}

export function endedFrame(
  { handle: subscription, domain, relay }: SubscriptionSubject,
  reason: Extract<SubscriptionEvent, { readonly kind: 'ended' }>['reason'],
): Uint8Array {
  const isChanged = reason === 'relay_changed';
  const message = isChanged
    ? `session subscription '${subscription.name}' was dropped because relay '${relay}' in domain ` +
      `'${domain}' was rebuilt after a schema or execution change; recreate the subscription ` +
      'against the current schema'
    : `relay '${relay}' in domain '${domain}' does not exist any more`;
  const ending: SubscriptionEnded['reason'] = isChanged ? 'RelayChanged' : 'RelayRemoved';
  return encode({ t: 'SubscriptionEnded', subscription, reason: ending, message });
}
