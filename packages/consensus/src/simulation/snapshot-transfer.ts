import { supportsLevel } from '../raft/feature-levels.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { SimulatedCluster, SimulatedNode } from './simulated-cluster.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { StoredSnapshot } from './simulated-store.ts';
import { type IncomingSnapshot, SNAPSHOT_SECTIONS } from './store-session.ts';

/** How long a sender waits for the end of a transfer. */
const PATIENCE = 1_500;

/** Who sends what to whom. */
export interface TransferParts {
  readonly sender: SimulatedProcess;
  readonly target: SimulatedNode;
  readonly to: MemberId;
  readonly term: bigint;
  readonly stored: StoredSnapshot;
}

/** A snapshot on its way: section after section, each durable before the next is sent. */
export class SnapshotTransfer {
  readonly #cluster: SimulatedCluster;
  readonly #parts: TransferParts;
  #isSettled = false;

  constructor(cluster: SimulatedCluster, parts: TransferParts) {
    this.#cluster = cluster;
    this.#parts = parts;
  }

  begin(): void {
    this.#cluster.queue.add(PATIENCE, () => this.#settle(false));
    this.#travel((receiver) => {
      const { stored, term, to } = this.#parts;
      const { core, replica, self, session } = receiver;
      const { clusterUid } = replica;
      const isUseful = stored.manifest.index > core.commit && term >= core.term;
      const isSame =
        clusterUid === undefined || clusterUid === this.#parts.sender.replica.clusterUid;
      const isBusy = replica.isInstalling || replica.failure !== undefined;
      const isFurther = !isUseful && isSame && !isBusy && self.storeId === to.storeId;
      if (isFurther) replica.snapshotArrived(this.#parts.sender.self, term, stored.manifest);
      const isKnown = supportsLevel(receiver.levels, stored.manifest.configuration.level);
      if (!isUseful || !isSame || !isKnown || isBusy || self.storeId !== to.storeId) {
        this.#answer(false);
        return;
      }
      this.#section(receiver, session.beginReceipt(stored));
    });
  }

  #section(receiver: SimulatedProcess, incoming: IncomingSnapshot): void {
    const { replica, session } = receiver;
    if (replica.isInstalling || replica.failure !== undefined) {
      this.#answer(false);
      return;
    }
    session.queueSection(incoming, (isStored) => {
      if (!isStored) {
        this.#answer(false);
        return;
      }
      this.#travel((current) => {
        if (current !== receiver) return;
        if (incoming.sectionsStored < SNAPSHOT_SECTIONS) this.#section(receiver, incoming);
        else this.#finish(receiver, incoming);
      });
    });
    replica.sectionArrived();
  }

  #finish(receiver: SimulatedProcess, incoming: IncomingSnapshot): void {
    const { sender, stored, term } = this.#parts;
    if (receiver.session.isCurrent(incoming)) {
      receiver.replica.snapshotArrived(sender.self, term, stored.manifest);
    }
    this.#answer(true);
  }

  /** Something of the transfer reaches the receiver, unless the link or an end is gone. */
  #travel(arrive: (receiver: SimulatedProcess) => void): void {
    const { sender, target } = this.#parts;
    const { network, queue } = this.#cluster;
    const { delays } = network.route(sender.node, target.number, queue.now, false);
    const [delay] = delays;
    if (delay === undefined) return;
    queue.add(delay, () => {
      const receiver = target.process;
      if (receiver === undefined || sender.isDead || this.#isSettled) return;
      receiver.enter(() => arrive(receiver));
    });
  }

  #answer(isOk: boolean): void {
    const { sender, target } = this.#parts;
    const { network, queue } = this.#cluster;
    const { delays } = network.route(target.number, sender.node, queue.now, false);
    const [delay] = delays;
    if (delay !== undefined) queue.add(delay, () => this.#settle(isOk));
  }

  #settle(isOk: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { sender, to } = this.#parts;
    sender.enter(() => sender.replica.snapshotSent(to, isOk));
  }
}
