import type { Expression } from '../expression.js';
import type {
  AckParticipation,
  Branching,
  FlushedRoute,
  Inputs,
  MaterializedDependency,
} from '../route.js';

/** Clauses shared by every relay-consuming processor. */
export interface ProcessorClauses {
  readonly name: string;
  readonly acknowledgement: AckParticipation;
  readonly inputs: Inputs;
  readonly filter: Expression | null;
  readonly branching: Branching;
  readonly dependencies: readonly MaterializedDependency[];
}

export interface JunctionModel extends ProcessorClauses {
  readonly kind: 'junction';
  readonly routes: readonly FlushedRoute[];
}
