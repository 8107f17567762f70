import type { Expression } from '../expression.js';
import type { FlushedRoute } from '../route.js';
import type { ProcessorClauses } from './processor.js';

export interface ReordererModel extends ProcessorClauses {
  readonly kind: 'reorderer';
  readonly by: readonly Expression[];
  readonly maxTime: string;
  readonly routes: readonly FlushedRoute[];
}
