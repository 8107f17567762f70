import type { Inspection } from '@nervix/protocol';
import type { Outcome } from '../outcome.js';

/** An answer to a read, with the report that it printed if it read one. */
export interface InspectedOutcome {
  readonly outcome: Outcome;
  readonly inspection?: Inspection;
}
