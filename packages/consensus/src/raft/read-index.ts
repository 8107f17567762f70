import type { MemberId } from './member-id.ts';
import type { MemberState } from './member-state.ts';
import type { ReadContext } from './message.ts';
import type { MessageOf } from './messages.ts';

/** Reads of this member's owner and, on a leader, of other members. */
export class ReadIndex {
  readonly #state: MemberState;

  constructor(state: MemberState) {
    this.#state = state;
  }

  tick(): void {
    const { forwarded, now, options, outbox } = this.#state;
    outbox.readsRejected.push(...forwarded.expire(now - options.electionTicksMax));
  }

  ask(context: bigint): void {
    const { leadership, leader, forwarded, now, options, outbox, term } = this.#state;
    if (leadership !== undefined) {
      leadership.read({ kind: 'local', context });
    } else if (leader === undefined) {
      outbox.readsRejected.push(context);
    } else {
      forwarded.add(context, now);
      const read = { epoch: options.epoch, context };
      outbox.send(leader, { kind: 'readIndex', term, read });
    }
  }

  askedBy(from: MemberId, read: ReadContext): void {
    const { leadership, outbox, term } = this.#state;
    if (leadership !== undefined) leadership.read({ kind: 'remote', from, read });
    else outbox.send(from, { kind: 'readIndexResponse', term, read, index: undefined });
  }

  /** Numbers repeat themselves in every process, so the answer must name this one. */
  answered(message: MessageOf<'readIndexResponse'>): void {
    const { forwarded, options, outbox } = this.#state;
    const { read, index } = message;
    if (read.epoch !== options.epoch || !forwarded.take(read.context)) return;
    if (index === undefined) outbox.readsRejected.push(read.context);
    else outbox.readStates.push({ context: read.context, index });
  }
}
