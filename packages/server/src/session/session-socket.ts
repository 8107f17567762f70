import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { PausableSocket } from './inbound-frames.js';
import type { FrameSocket } from './outbound-lanes.js';

/** Close codes of the WebSocket protocol (RFC 6455 section 7.4.1) that sessions use. */
export const CLOSE_CODES = {
  normal: 1000,
  unacceptable: 1003,
  invalid: 1007,
  failed: 1011,
} as const;

/** Bytes that the reason of a close frame may have. */
const REASON_BYTES_MAX = 123;

/** A WebSocket as a session uses it. */
export class SessionSocket implements FrameSocket, PausableSocket {
  readonly #socket: WebSocket;
  readonly #transport: Pick<Socket, 'bytesRead'>;

  constructor(socket: WebSocket, transport: Pick<Socket, 'bytesRead'>) {
    this.#socket = socket;
    this.#transport = transport;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  /** Whether no side has begun to close. */
  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get bytesReceived(): number {
    return this.#transport.bytesRead;
  }

  send(bytes: Uint8Array, done: () => void): void {
    this.#socket.send(bytes, { binary: true }, done);
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  /**
   * Answers a ping, unless the peer has not read what was sent before.
   *
   * @param bufferedMax bytes that the transport holds at most before it is given no more frames;
   * pongs leave half of it to them
   */
  pong(text: Uint8Array, bufferedMax: number): void {
    if (this.isOpen && this.bufferedAmount < bufferedMax / 2) this.#socket.pong(text);
  }

  pause(): void {
    if (this.isOpen) this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes with a code; a reason that is too long is cut. */
  close(code: number, reason = ''): void {
    const bytes = Buffer.from(reason);
    this.resume();
    this.#socket.close(code, bytes.length > REASON_BYTES_MAX ? '' : reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }
}
