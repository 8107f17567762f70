import type {
  ReplyBody,
  RowSchema,
  SubscriptionHandle,
  SubscriptionRows,
} from '@nervix/protocol/session';

/** Rows of an id and a total. */
export const ORDER_SCHEMA: RowSchema = {
  fields: [
    { name: 'id', type: { t: 'U64' }, nullable: false, sensitive: false },
    { name: 'total', type: { t: 'F64' }, nullable: true, sensitive: false },
  ],
};

/** Opens a subscription of `shop.orders`. */
export function openedReply(
  subscription: SubscriptionHandle,
  schema: RowSchema = ORDER_SCHEMA,
): ReplyBody {
  return {
    t: 'SubscribeOutcome',
    disposition: {
      t: 'SubscriptionOpened',
      subscription,
      domain: 'shop',
      relay: 'orders',
      subscription_type: 'Row',
      schema,
    },
    message: `created subscription '${subscription.name}' in domain 'shop'`,
    diagnostics: [],
  };
}

/** A frame of at most 15 rows of {@link ORDER_SCHEMA}. */
export function orderRows(
  subscription: SubscriptionHandle,
  rows: readonly (readonly [id: bigint, total: number | null])[],
): SubscriptionRows {
  const cells = rows.flatMap(([id, total]) => {
    const row = Buffer.alloc(10);
    row[0] = 0x92;
    row[1] = 0xcf;
    row.writeBigUInt64BE(id, 2);
    if (total === null) return [row, Buffer.from([0xc0])];
    const float = Buffer.alloc(9, 0xcb);
    float.writeDoubleBE(total, 1);
    return [row, float];
  });
  const bytes = Buffer.concat([Buffer.from([0x90 + rows.length]), ...cells]);
  return { t: 'SubscriptionRows', subscription, rows: bytes, row_count: rows.length };
}
