import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { RegisterAnswer, RegisterCall } from './register-protocol.ts';

/** A connection to one process. A request without an answer in time has an unknown outcome. */
export class RegisterClient {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: RegisterAnswer) => void>();
  #nextId = 0;
  #isClosed = false;

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const lines = createInterface({ input: this.#socket });
    lines.on('line', (line) => {
      const answer = JSON.parse(line) as RegisterAnswer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    // Readline passes errors of its input on.
    lines.on('error', () => this.#socket.destroy());
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('close', () => this.#end());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves with the answer, which is `unknown` after `limitMs` or when the process is gone. */
  request(call: RegisterCall, limitMs = 2_000): Promise<RegisterAnswer> {
    const id = this.#nextId;
    this.#nextId += 1;
    if (this.#isClosed) return Promise.resolve({ id, refused: 'the connection is closed' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        resolve({ id, unknown: 'no answer in time' });
      }, limitMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#socket.write(`${JSON.stringify({ ...call, id })}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(): void {
    this.#isClosed = true;
    for (const [id, resolve] of this.#waiting) {
      resolve({ id, unknown: 'the connection was closed' });
    }
    this.#waiting.clear();
  }
}
