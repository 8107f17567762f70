import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a receiver saw it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A destination on loopback that keeps what it is sent and answers as it is told. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  /** Status of the answer; headers may be added. Asked once a request. */
  answer: (
    request: ReceivedRequest,
  ) => number | { status: number; headers: Record<string, string> } = () => 204;
  connections = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        };
        this.requests.push(received);
        const answer = this.answer(received);
        if (typeof answer === 'number') response.writeHead(answer).end();
        else response.writeHead(answer.status, answer.headers).end();
      });
    });
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => {
      receiver.#server.listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Bodies received under a path, parsed. */
  rows(path: string): Record<string, unknown>[] {
    return this.requests
      .filter((request) => request.path === path)
      .map((request) => JSON.parse(request.body) as Record<string, unknown>);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }
}
