import type { ServerResponse } from 'node:http';
import type { StreamEnded } from '@nervix/protocol';
import type { RowsSink, RowsStream } from '../control-plane/control-plane.js';
import { toServerSentEvents } from './server-sent-events.js';

/** How a row stream is written. */
export type RowFormat = 'ndjson' | 'sse';

/** What a {@link RowResponse} needs besides its response. */
export interface RowResponseOptions {
  readonly format: RowFormat;
  readonly commentIntervalMs: number;
  /** Told once, when the response is over. */
  onOver(): void;
  /** Told when closing the stream failed. */
  onCloseFailed(error: unknown): void;
}

const contentTypes: Readonly<Record<RowFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  sse: 'text/event-stream; charset=utf-8',
};
const COMMENT = ': alive\n\n';

const encoder = new TextEncoder();

function endedLine(reason: StreamEnded['ended']['reason'], message: string): Uint8Array {
  const record: StreamEnded = { ended: { reason, message } };
  return encoder.encode(`${JSON.stringify(record)}\n`);
}

/**
 * One row stream on its way to an HTTP client. The head is sent with the first line, so that a
 * refusal before it can still be an ordinary answer. Room is what the socket's buffer leaves.
 */
export class RowResponse implements RowsSink {
  readonly #response: ServerResponse;
  readonly #options: RowResponseOptions;
  #stream: RowsStream | undefined;
  #comments: NodeJS.Timeout | undefined;
  #room: PromiseWithResolvers<void> | undefined;
  #isOpen = false;
  /** No more may be written: the source ended, or the client went away. */
  #isOver = false;
  #isEndedBySource = false;
  /** The node stops: the stream ends as soon as it has opened. */
  #isFinishing = false;

  constructor(response: ServerResponse, options: RowResponseOptions) {
    this.#response = response;
    this.#options = options;
    response.on('drain', () => this.#giveRoom());
    response.on('close', () => this.#closed());
  }

  /** Whether the head has been sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  write(lines: Uint8Array): Promise<void> {
    if (this.#isOver || lines.length === 0) return Promise.resolve();
    this.open();
    const bytes = this.#options.format === 'sse' ? toServerSentEvents(lines) : lines;
    if (this.#response.write(bytes)) return Promise.resolve();
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isEndedBySource = true;
    this.open();
    this.#stop();
    this.#response.end();
  }

  /** Sends the head. */
  open(): void {
    if (this.#isOpen || this.#isOver) return;
    this.#isOpen = true;
    this.#response.writeHead(200, {
      'content-type': contentTypes[this.#options.format],
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    this.#response.flushHeaders();
    // A comment, or an empty line, tells proxies and the client that a quiet stream is alive.
    const signOfLife = this.#options.format === 'sse' ? COMMENT : '\n';
    this.#comments = setInterval(() => {
      if (!this.#response.writableNeedDrain) this.#response.write(signOfLife);
    }, this.#options.commentIntervalMs);
    this.#comments.unref();
  }

  /** Ties the response to its source: a client that goes away closes it. */
  attach(stream: RowsStream): void {
    this.#stream = stream;
    if (this.#isOver) this.#closeStream();
    else if (this.#isFinishing) this.finish();
  }

  /** Ends the response because the node stops, and tells the client so. */
  finish(): void {
    if (this.#isOver) return;
    this.#isFinishing = true;
    if (this.#stream === undefined) return;
    this.#endWith(endedLine('ServerShuttingDown', 'the server is shutting down'));
  }

  /** Ends the response, whose head is sent, because its source failed, and tells the client so. */
  fail(message: string): void {
    if (this.#isOver) return;
    this.#endWith(endedLine('Failed', message));
  }

  #endWith(line: Uint8Array): void {
    void this.write(line);
    this.#stop();
    this.#closeStream();
    this.#response.end();
  }

  #closed(): void {
    if (!this.#isOver) {
      this.#stop();
      this.#closeStream();
    }
    this.#giveRoom();
    this.#options.onOver();
  }

  #stop(): void {
    this.#isOver = true;
    clearInterval(this.#comments);
    this.#giveRoom();
  }

  #giveRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #closeStream(): void {
    const stream = this.#stream;
    if (stream === undefined || this.#isEndedBySource) return;
    this.#stream = undefined;
    stream.close().catch((error: unknown) => this.#options.onCloseFailed(error));
  }
}
