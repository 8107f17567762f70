import type { Branching, FlushedRoute } from '../route.js';

/** What `CREATE GENERATOR` defines. */
export interface GeneratorModel {
  readonly kind: 'generator';
  readonly name: string;
  /** Relay whose materialized state is read. */
  readonly state: string;
  /** Clock duration in decimal nanoseconds. */
  readonly eachNanos: string;
  readonly branching: Branching;
  readonly routes: readonly FlushedRoute[];
}
