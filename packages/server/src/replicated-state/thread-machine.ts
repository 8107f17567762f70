import type { StateMachine } from '@nervix/consensus';
import { ReplicatedState } from './replicated-state.js';
import { replicatedStateMachine } from './state-machine.js';

/** Makes the state machine of a log that is kept in a thread of its own; called there. */
export function threadStateMachine(): StateMachine {
  return replicatedStateMachine(new ReplicatedState());
}
