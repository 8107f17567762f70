import type { Expression } from '../expression.js';
import type {
  AckParticipation,
  Branching,
  FlushedRoute,
  Inputs,
  MaterializedDependency,
} from '../route.js';

/** What becomes of a row that found no partner in time. */
export type UnmatchedPolicy =
  | { readonly kind: 'drop' }
  | { readonly kind: 'send_to'; readonly relay: string };

/** What `CREATE CORRELATOR` defines. */
export interface CorrelatorModel {
  readonly kind: 'correlator';
  readonly name: string;
  readonly acknowledgement: AckParticipation;
  readonly left: Inputs;
  readonly right: Inputs;
  readonly correlateWhere: Expression;
  readonly match: 'EARLIEST' | 'LATEST';
  readonly maxTime: string;
  readonly onTimeout: { readonly left: UnmatchedPolicy; readonly right: UnmatchedPolicy };
  readonly branching: Branching;
  readonly dependencies: readonly MaterializedDependency[];
  readonly routes: readonly FlushedRoute[];
}
