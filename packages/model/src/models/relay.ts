import type { Branching } from '../route.js';

/** What `CREATE RELAY` defines. */
export interface RelayModel {
  readonly kind: 'relay';
  readonly name: string;
  readonly schema: string;
  readonly branching: Branching;
  /** Batches the owner buffers; decimal text, 1 when not declared. */
  readonly capacity: string;
  readonly materialized: boolean;
}
