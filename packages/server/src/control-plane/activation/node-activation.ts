import { ActivationBarrier } from '../../cluster/activation-barrier.js';
import type { ActivationPeers, LeaderView, NodeReport } from '../../cluster/activation-messages.js';
import type { ClusterHealth } from '../../cluster/cluster-health.js';
import type { StateLog } from '../../replicated-state/state-log.js';
import { Activation } from './activation.js';
import type { ApplierPorts } from './domain-applier.js';
import { NodeApplier } from './node-applier.js';

export interface NodeActivationOptions
  extends Pick<ApplierPorts, 'dataPlane' | 'versions' | 'after'> {
  readonly log: StateLog;
  readonly health: ClusterHealth;
  readonly peers: ActivationPeers;
}

/**
 * Everything by which one member of a cluster takes part in activations: it follows what is
 * published, gathers reports while it leads, and talks to the others. A cluster of one has nobody to
 * talk to, and does the same.
 */
export class NodeActivation {
  /** What commands use. */
  readonly effects: Activation;
  readonly #applier: NodeApplier;
  readonly #barrier: ActivationBarrier;

  constructor({ log, health, peers, dataPlane, versions, after }: NodeActivationOptions) {
    const { local } = health;
    const { state } = log;
    const ports = { state, dataPlane, versions, node: local.node, after };
    this.#barrier = new ActivationBarrier({
      local,
      required: () => health.required(),
      tenure: () => {
        const { role, term } = log.status();
        return role === 'leader' ? term : undefined;
      },
      announce: (view) => {
        this.#applier.receive(view);
        peers.announce(view);
      },
    });
    this.#applier = new NodeApplier(ports, local, (report) => {
      this.#barrier.receive(report);
      peers.report(report);
    });
    this.effects = new Activation(ports, this.#applier, this.#barrier);
    this.#applier.start();
  }

  /** Takes what a member says of itself. */
  receiveReport(report: NodeReport): void {
    this.#barrier.receive(report);
  }

  /** Takes what a leader has made of all reports. */
  receiveView(view: LeaderView): void {
    this.#applier.receive(view);
  }

  /**
   * Looks again who takes part, and says again what may have been lost. To be called regularly: time
   * alone may take a member out.
   */
  repeat(): void {
    this.#applier.repeat();
    this.#barrier.repeat();
  }

  /** Ends every wait of commands; what is published goes on to be followed. */
  close(): void {
    this.#barrier.close();
  }
}
