import type { Expression } from '../expression.js';
import type { FlushedRoute } from '../route.js';
import type { ProcessorClauses } from './processor.js';

export interface DeduplicatorModel extends ProcessorClauses {
  readonly kind: 'deduplicator';
  readonly deduplicateOn: readonly Expression[];
  readonly maxTime: string;
  readonly routes: readonly FlushedRoute[];
}
