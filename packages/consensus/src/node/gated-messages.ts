import type { GatedMessage } from '../raft/output.ts';
import type { ReplicaPorts } from './replica-ports.ts';

/** Messages that assert what is not durable yet, in the order in which they may leave. */
export class GatedMessages {
  readonly #ports: ReplicaPorts;
  #waiting: GatedMessage[] = [];
  #persisted = 0n;

  constructor(ports: ReplicaPorts) {
    this.#ports = ports;
  }

  /** Sends the message as soon as its job is durable, which may be now. */
  send(message: GatedMessage): void {
    if (message.seq <= this.#persisted) this.#ports.send(message.to, message.message);
    else this.#waiting.push(message);
  }

  /** The jobs up to `seq` are durable. */
  persisted(seq: bigint): void {
    this.#persisted = seq;
    let released = 0;
    for (const { seq: gate, to, message } of this.#waiting) {
      if (gate > seq) break;
      this.#ports.send(to, message);
      released += 1;
    }
    if (released > 0) this.#waiting = this.#waiting.slice(released);
  }

  /** Nothing will be durable any more. */
  discard(): void {
    this.#waiting = [];
  }
}
