import type { EntryRoute } from '../route.js';
import type { ConsumerClauses } from './processor.js';

export interface ReingestorModel extends ConsumerClauses {
  readonly kind: 'reingestor';
  readonly routes: readonly EntryRoute[];
}
