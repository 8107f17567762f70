import type { PlanCode, PlanRefusal } from '../errors.js';

/** Codes of refusals that only lists of statements meet: stable public API. */
export const TRANSACTION_PLAN_CODES = [
  'PLAN_NOT_QUEUEABLE',
  'PLAN_DOMAIN_STATUS',
  'PLAN_DUPLICATE_RESOURCE',
  'PLAN_RESOURCE_VERSION',
  'PLAN_SECRET_UNAVAILABLE',
  'PLAN_RESET_SCOPE',
] as const;
export type TransactionPlanCode = PlanCode | (typeof TRANSACTION_PLAN_CODES)[number];

/** Why a list of statements cannot be planned, at the statement that is to blame. */
export interface TransactionRefusal extends Omit<PlanRefusal, 'code'> {
  readonly code: TransactionPlanCode;
  /** Number of the statement, from 1. */
  readonly operation: number;
  /** Which check refused it: goes before the message; empty where the message says it all. */
  readonly context: string;
  /** True where statements after it could still supply what is missing. */
  readonly isProvisional: boolean;
}

/** The contexts of a refusal and its message, outermost first. */
export function preflightText({ context, message }: TransactionRefusal): string {
  return ['transaction statement failed preflight', context, message]
    .filter((part) => part !== '')
    .join(': ');
}

/**
 * A refusal of one statement by itself.
 *
 * @param check what was being checked; absent where the message says it all
 */
export function statementRefusal(
  operation: number,
  refusal: Omit<PlanRefusal, 'code'> & { readonly code: TransactionPlanCode },
  check?: string,
): TransactionRefusal {
  const context = check === undefined ? '' : `transaction operation ${operation} ${check}`;
  return { ...refusal, operation, context, isProvisional: false };
}
