import type { UnflushedRoute } from '../route.js';
import type { ProcessorClauses } from './processor.js';

/** At least one of the two is present. */
export interface WindowBound {
  /** Decimal text. */
  readonly messages: string | null;
  readonly duration: string | null;
}

export interface WindowProcessorModel extends ProcessorClauses {
  readonly kind: 'window_processor';
  readonly width: WindowBound;
  readonly step: WindowBound;
  /** Decimal byte count, or null without the clause. */
  readonly maxStateSize: string | null;
  readonly routes: readonly UnflushedRoute[];
}
