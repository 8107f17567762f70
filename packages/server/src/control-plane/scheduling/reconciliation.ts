import type { NodeActivation } from '../activation/node-activation.js';
import type { ControlContext } from '../control-context.js';
import { publishSchedules } from './publish-schedules.js';

/** How often a node looks after its part in the cluster, in milliseconds. */
export const RECONCILIATION_INTERVAL_MS = 500;

/**
 * What a node does again and again for its cluster: it says how far it is, and as the leader it
 * replaces owners that were lost. Neither waits for the other, nor for probes or commands.
 */
export class Reconciliation {
  readonly #context: ControlContext;
  readonly #activation: NodeActivation;
  #isScheduling = false;

  constructor(context: ControlContext, activation: NodeActivation) {
    this.#context = context;
    this.#activation = activation;
  }

  /** One round; of several at once only one schedules. */
  round(): void {
    this.#activation.repeat();
    if (this.#isScheduling || this.#context.log.status().role !== 'leader') return;
    this.#isScheduling = true;
    publishSchedules(this.#context)
      .catch((error: unknown) => this.#context.logger.warn('scheduling failed', {}, error))
      .finally(() => {
        this.#isScheduling = false;
      });
  }
}
