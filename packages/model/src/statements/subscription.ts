import type { Expression } from '../expression.js';

export type SubscriptionDelivery = 'BLOCKING' | 'DROPPING';
export interface CreateSubscriptionStatement {
  readonly kind: 'create_subscription';
  readonly name: string;
  readonly relay: string;
  readonly delivery: SubscriptionDelivery;
  /** 0.0 to 1.0, or null without the clause. */
  readonly batchSampleRate: number | null;
  readonly where: Expression | null;
}
export interface DeleteSubscriptionStatement {
  readonly kind: 'delete_subscription';
  readonly name: string;
}
export type SubscriptionStatement = CreateSubscriptionStatement | DeleteSubscriptionStatement;
