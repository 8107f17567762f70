import type { Expression } from '../expression.js';

/** Whether a slow session slows the relay down or loses rows. */
export type SubscriptionDelivery = 'BLOCKING' | 'DROPPING';
/** `CREATE SUBSCRIPTION`. */
export interface CreateSubscriptionStatement {
  readonly kind: 'create_subscription';
  readonly name: string;
  readonly relay: string;
  readonly delivery: SubscriptionDelivery;
  /** 0.0 to 1.0, or null without the clause. */
  readonly batchSampleRate: number | null;
  readonly where: Expression | null;
}
/** `DELETE SUBSCRIPTION`. */
export interface DeleteSubscriptionStatement {
  readonly kind: 'delete_subscription';
  readonly name: string;
}
/** Statements about subscriptions. */
export type SubscriptionStatement = CreateSubscriptionStatement | DeleteSubscriptionStatement;
