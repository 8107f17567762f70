import type { StreamEnded } from '@nervix/protocol';
import type { UserIdentity } from '../replicated-state/user-identity.js';
import type { RowsSink, RowsStream } from './control-plane.js';
import { recordLine } from './reads/row-lines.js';

/** A row stream of a user, with what is needed to end it. */
interface OpenStream {
  readonly sink: RowsSink;
  readonly stream: RowsStream;
}

/** The row streams that each user reads on this node, to end them with the user. */
export class UserStreams {
  readonly #onCloseFailed: (error: unknown) => void;
  /** By incarnation: users that have a name one after the other share nothing. */
  readonly #streams = new Map<string, Set<OpenStream>>();

  constructor(onCloseFailed: (error: unknown) => void) {
    this.#onCloseFailed = onCloseFailed;
  }

  /** Keeps a stream until it is closed. */
  add({ incarnation }: UserIdentity, sink: RowsSink, stream: RowsStream): RowsStream {
    const open: OpenStream = { sink, stream };
    const streams = this.#streams.get(incarnation) ?? new Set();
    this.#streams.set(incarnation, streams.add(open));
    return {
      close: () => {
        streams.delete(open);
        if (streams.size === 0 && this.#streams.get(incarnation) === streams) {
          this.#streams.delete(incarnation);
        }
        return stream.close();
      },
    };
  }

  /** Ends every stream of a user that is no more, and tells its readers so. */
  endOf({ user, incarnation }: UserIdentity): void {
    const record: StreamEnded = {
      ended: { reason: 'UserDropped', message: `user '${user}' was dropped` },
    };
    for (const { sink, stream } of this.#streams.get(incarnation) ?? []) {
      // The line is on its way with the call; whether its reader has room does not matter any more.
      void sink.write(recordLine(record));
      sink.end();
      stream.close().catch(this.#onCloseFailed);
    }
    this.#streams.delete(incarnation);
  }
}
