import type { StateLog } from '../replicated-state/state-log.js';
import type { ControlContext } from './control-context.js';

/** Asked right before the first durable effect of a command, and never again to another answer. */
export interface CommandAdmission {
  /** Whether the command may take effect. */
  admit(): boolean;
}

/** Of callers that cannot withdraw what they sent. */
export const ALWAYS_ADMITTED: CommandAdmission = { admit: () => true };

/** A command that its caller may still withdraw: what is asked first, decides. */
export class WithdrawableCommand implements CommandAdmission {
  #state: 'waiting' | 'admitted' | 'withdrawn' = 'waiting';

  admit(): boolean {
    if (this.#state === 'waiting') this.#state = 'admitted';
    return this.#state === 'admitted';
  }

  /** Whether the command has no effect, now or later. */
  withdraw(): boolean {
    if (this.#state === 'waiting') this.#state = 'withdrawn';
    return this.#state === 'withdrawn';
  }
}

/** Thrown through a command that was withdrawn, instead of its first write. */
export class WithdrawnError extends Error {
  constructor() {
    super('the command was withdrawn before it had any effect');
  }
}

/** A context whose writes are those of one command. */
export function admittedContext(
  context: ControlContext,
  admission: CommandAdmission,
): ControlContext {
  const { log } = context;
  const admitted: StateLog = {
    state: log.state,
    status: () => log.status(),
    activateLevel: async (level) => {
      if (!admission.admit()) throw new WithdrawnError();
      return log.activateLevel(level);
    },
    write: async (command) => {
      if (!admission.admit()) throw new WithdrawnError();
      return log.write(command);
    },
  };
  return { ...context, log: admitted };
}
