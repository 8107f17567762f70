import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CommandRequest, ErrorCode, WireDiagnostic } from '@nervix/protocol';
import { ERROR_CODES } from '@nervix/protocol';
import { SessionFront } from './session/session-front.js';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly authorization: string | undefined;
  readonly accept: string | undefined;
  readonly command: CommandRequest;
}

export type Responder = (request: SeenRequest, response: ServerResponse) => void;

async function readRequest(message: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const url = new URL(message.url ?? '/', 'http://server');
  return {
    method: message.method ?? '',
    path: url.pathname,
    parameters: url.searchParams,
    authorization: message.headers.authorization,
    accept: message.headers.accept,
    command: text === '' ? { query: '' } : (JSON.parse(text) as CommandRequest),
  };
}

/**
 * A server on loopback that answers as the test says, by HTTP and over sessions, and remembers what
 * it was asked.
 */
export class FakeServer implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;
  readonly #front: SessionFront;

  private constructor(server: Server, front: SessionFront) {
    this.#server = server;
    this.#front = front;
  }

  static async start(respond: Responder, port = 0): Promise<FakeServer> {
    const front = new SessionFront(respond, (request) => void fake.requests.push(request));
    const server = createServer((message, response) => {
      if (front.sellTicket(message, response)) return;
      readRequest(message).then(
        (request) => {
          fake.requests.push(request);
          respond(request, response);
        },
        () => response.destroy(),
      );
    });
    server.on('upgrade', (message, socket, head) => front.upgrade(message, socket, head));
    const fake = new FakeServer(server, front);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get commands(): CommandRequest[] {
    return this.requests.filter(({ method }) => method === 'POST').map(({ command }) => command);
  }

  get references(): (string | undefined)[] {
    return this.commands.map((command) => command.execution_reference);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#front.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A port of loopback on which nobody listens. */
export async function unusedPort(): Promise<number> {
  const server = await FakeServer.start(() => undefined);
  const { port } = server;
  await server[Symbol.asyncDispose]();
  return port;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

export function completed(request: SeenRequest, message: string, more: object = {}): object {
  return {
    execution_reference: request.command.execution_reference,
    origin: 'Executed',
    disposition: { t: 'CommandCompleted', already_existed: false },
    message,
    diagnostics: [],
    ...more,
  };
}

export function sendError(
  response: ServerResponse,
  code: ErrorCode,
  message: string,
  more: { diagnostics?: WireDiagnostic[]; [name: string]: unknown } = {},
): void {
  const error = { code, message, diagnostics: [], ...more };
  sendJson(response, ERROR_CODES[code].httpStatus, { error });
}

/** Begins an NDJSON answer with these records and leaves it open. */
export function sendRecords(response: ServerResponse, lines: readonly (string | object)[]): void {
  if (!response.headersSent) {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  }
  for (const line of lines) {
    response.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }
}

export const opened = {
  opened: {
    domain: 'shop',
    relay: 'orders',
    schema: {
      fields: [
        { name: 'id', type: 'U64', nullable: false, sensitive: false },
        { name: 'total', type: 'F64', nullable: true, sensitive: false },
      ],
    },
  },
};
