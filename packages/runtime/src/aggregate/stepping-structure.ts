import type { WindowSegment } from './aggregate-input.js';
import type { AggregateStructure } from './structures.js';

/** State that rows leave one after the other, in place of being filled again from those that remain. */
export interface SteppingStructure extends AggregateStructure {
  /** Bytes of the state beside the retained rows. */
  readonly byteSize: number;
  /** Bytes by which rows would make the state grow. */
  growth(segment: WindowSegment): number;
  /** The rows that were admitted first leave, at an instant of the domain. */
  evict(segment: WindowSegment, nowNanos: bigint): void;
  /** Forgets what was kept up to an instant of the domain. */
  purge(nowNanos: bigint): void;
  /** Makes the state that of the retained rows. */
  settle(retained: readonly WindowSegment[]): void;
}

export function isStepping(structure: AggregateStructure): structure is SteppingStructure {
  return 'settle' in structure;
}
