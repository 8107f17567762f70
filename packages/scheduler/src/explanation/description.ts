import type { ScheduleRefusal } from '../errors.js';

/** A text, or why there is none. */
export type Description =
  | { readonly kind: 'described'; readonly text: string }
  | ScheduleRefusal<'SCHED_UNKNOWN_PLACEMENT' | 'SCHED_DESCRIPTION_TOO_LONG'>;
