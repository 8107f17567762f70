import type { Expression } from '../expression.js';
import type { AckParticipation, Branching, Inputs, MaterializedDependency } from '../route.js';

/** Clauses of every consumer of relays that has inputs of one kind and routes. */
export interface ConsumerClauses {
  readonly name: string;
  readonly acknowledgement: AckParticipation;
  readonly inputs: Inputs;
  readonly filter: Expression | null;
  readonly dependencies: readonly MaterializedDependency[];
}

/** Clauses shared by processors that keep a branch of their own. */
export interface ProcessorClauses extends ConsumerClauses {
  readonly branching: Branching;
}
