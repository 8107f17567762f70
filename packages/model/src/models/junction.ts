import type { FlushedRoute } from '../route.js';
import type { ProcessorClauses } from './processor.js';

export interface JunctionModel extends ProcessorClauses {
  readonly kind: 'junction';
  readonly routes: readonly FlushedRoute[];
}
