import type { Capacity } from '../feasibility/node-facts.js';
import { coversCapacity, lessCapacity } from './amounts.js';

/** What can be reserved on a node at one moment. */
export interface CapacitySnapshot {
  readonly node: string;
  /** Rises with every reservation made or given back. */
  readonly revision: bigint;
  /** Rises with every measurement of the node. */
  readonly sampleGeneration: bigint;
  readonly available: Capacity;
}

/** A wish to reserve, and the moment on which its plan was built. */
export interface ReservationRequest {
  readonly node: string;
  readonly revision: bigint;
  readonly sampleGeneration: bigint;
  readonly wanted: Capacity;
}

/** Whether a reservation was made. */
export type ReservationOutcome =
  | { readonly kind: 'reserved'; readonly snapshot: CapacitySnapshot }
  | {
      readonly kind: 'refused';
      readonly reason: 'node' | 'revision' | 'sample_generation' | 'capacity';
    };

/**
 * Reserves by comparing with the moment that was planned with: of two plans built on one moment
 * only the first is granted, and the second plans again.
 */
export function reserveCapacity(
  current: CapacitySnapshot,
  request: ReservationRequest,
): ReservationOutcome {
  if (request.node !== current.node) return { kind: 'refused', reason: 'node' };
  if (request.revision !== current.revision) return { kind: 'refused', reason: 'revision' };
  if (request.sampleGeneration !== current.sampleGeneration) {
    return { kind: 'refused', reason: 'sample_generation' };
  }
  if (!coversCapacity(current.available, request.wanted)) {
    return { kind: 'refused', reason: 'capacity' };
  }
  const available = lessCapacity(current.available, request.wanted);
  return {
    kind: 'reserved',
    snapshot: { ...current, revision: current.revision + 1n, available },
  };
}
