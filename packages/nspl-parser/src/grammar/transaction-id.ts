import { type GrammarHost, label } from './grammar-host.js';

const TRANSACTION_ID = label('transaction_id');

/** The quoted id of a transaction. */
export function takeTransactionId(g: GrammarHost): string {
  const id = g.text(TRANSACTION_ID);
  if (id === '') g.refuse('transaction_id must not be empty');
  return id;
}
