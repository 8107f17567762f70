import type { WindowSegment } from './aggregate-input.js';
import type { AggregateStructure } from './structures.js';

/** State that rows leave one after the other, in place of being filled again from those that remain. */
export interface SteppingStructure extends AggregateStructure {
  /** Bytes of the state beside the retained rows. */
  readonly byteSize: number;
  /** The rows that were admitted first leave, at an instant of the domain. */
  evict(segment: WindowSegment, nowNanos: bigint): void;
  /** Makes the state that of the retained rows at an instant of the domain. */
  settle(retained: readonly WindowSegment[], nowNanos: bigint): void;
}

export function isStepping(structure: AggregateStructure): structure is SteppingStructure {
  return 'settle' in structure;
}
