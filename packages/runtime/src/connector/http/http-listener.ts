import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { runtimeError } from '../../errors.js';
import { BodyBudget, readBody } from './body-reader.js';
import { type HttpAnswer, type HttpIntake, type IntakeRequest, refusal } from './http-intake.js';
import type { HttpRouteTable } from './http-route-table.js';

/** Limits and address of a data listener; sizes in bytes, times in milliseconds. */
export interface HttpListenerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Largest body; larger ones answer 413. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes of incomplete bodies held at once; beyond them requests answer 503. Default 256 MiB. */
  readonly maxPartialBytes?: number;
  /** Time for a complete head. Default 10 s. */
  readonly headerTimeoutMs?: number;
  /** Time for a complete request, head and body. Default 60 s. */
  readonly requestTimeoutMs?: number;
  /** Connections at once. Default 16384. */
  readonly maxConnections?: number;
}

/** Makes the server of a listener: a plain one, or one that speaks TLS. */
export type ServerMaker = (settings: ServerOptions) => Server;

/** How often connections are checked against their time limits. */
const TIMEOUT_CHECK_MS = 500;
const KEEP_ALIVE_MS = 30_000;
const LINES_TYPE = 'application/x-ndjson';

const NO_ROUTE = refusal(404, 'NO_ROUTE', 'no endpoint has this host and path');
const WRONG_METHOD = refusal(405, 'METHOD_NOT_ALLOWED', 'endpoints take POST only');
const TOO_LARGE = refusal(413, 'BODY_TOO_LARGE', 'the body is larger than this node accepts');
const NO_HOST = refusal(400, 'HOST_MISSING', 'the request names no host');
const UNEXPECTED = refusal(417, 'EXPECTATION_FAILED', 'only 100-continue can be expected');
const OVERLOADED: HttpAnswer = {
  ...refusal(503, 'BUSY', 'too many bodies are being received'),
  retryAfterSeconds: 1,
};

/** The HTTP side of all endpoints: one server, whose routes say where a body goes. */
export class HttpListener {
  readonly #server: Server;
  readonly #routes: HttpRouteTable;
  readonly #maxBodyBytes: number;
  readonly #budget: BodyBudget;
  /** Connections whose request is complete and not yet answered. */
  readonly #waiting = new Set<Socket>();
  /** Where the body leads that a connection is about to bring. */
  readonly #receiving = new WeakMap<Socket, HttpIntake>();
  readonly #answeredUnrouted: (status: number) => void;
  /** Every connection, also while it is in a handshake and the server does not tell of it. */
  readonly #connections = new Set<Socket>();
  readonly #requestTimeoutMs: number;

  private constructor(
    options: HttpListenerOptions,
    routes: HttpRouteTable,
    answeredUnrouted: (status: number) => void,
    makeServer: ServerMaker,
  ) {
    this.#routes = routes;
    this.#answeredUnrouted = answeredUnrouted;
    this.#maxBodyBytes = options.maxBodyBytes ?? 32 * 1024 * 1024;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 60_000;
    this.#budget = new BodyBudget(options.maxPartialBytes ?? 256 * 1024 * 1024);
    this.#server = makeServer({
      headersTimeout: options.headerTimeoutMs ?? 10_000,
      requestTimeout: this.#requestTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
      // A request without one is answered here, in the form of all answers.
      requireHostHeader: false,
    });
    this.#server.maxConnections = options.maxConnections ?? 16_384;
    this.#server.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    this.#server.on('request', (request, response) => {
      this.#receive(request, response);
    });
    this.#server.on('checkExpectation', (request, response) => {
      this.#refuse(response, this.#find(request), UNEXPECTED);
    });
    this.#server.on('connect', (_request, socket) => {
      this.#answerConnection(socket as Socket, WRONG_METHOD, undefined);
    });
    this.#server.on('clientError', (error, socket) => {
      this.#refuseConnection(error, socket as Socket);
    });
  }

  /**
   * Opens the listener.
   *
   * @param answeredUnrouted told of every answer to a request that no route is known of
   * @throws RuntimeError `RUNTIME_LISTEN_FAILED`
   */
  static async open(
    options: HttpListenerOptions,
    routes: HttpRouteTable,
    answeredUnrouted: (status: number) => void,
    makeServer: ServerMaker = createServer,
  ): Promise<HttpListener> {
    const listener = new HttpListener(options, routes, answeredUnrouted, makeServer);
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', (cause) => {
        const { host, port } = options;
        const reason = cause.message;
        reject(runtimeError('RUNTIME_LISTEN_FAILED', { host, port, reason }, cause));
      });
      listener.#server.listen(options.port, options.host, 4096, resolve);
    });
    return listener;
  }

  /** Where the listener is reached. */
  get address(): { readonly host: string; readonly port: number } {
    const address = this.#server.address() as AddressInfo;
    return { host: address.address, port: address.port };
  }

  /**
   * Takes no further connections and lets requests that are under way finish, for as long as one may
   * take. Resolves when all connections have ended.
   */
  async retire(): Promise<void> {
    const ending = setTimeout(() => this.#endConnections(), this.#requestTimeoutMs);
    ending.unref();
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeIdleConnections();
    });
    clearTimeout(ending);
  }

  /** Takes no further connections and ends those that are open. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#endConnections();
    });
  }

  #endConnections(): void {
    for (const socket of this.#connections) socket.destroy();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const head = readHead(request);
    const intake = this.#routes.find(head.host, request.url ?? '');
    if (head.host === undefined) {
      this.#refuse(response, undefined, NO_HOST);
    } else if (intake === undefined) {
      this.#refuse(response, undefined, NO_ROUTE);
    } else if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      this.#refuse(response, intake, WRONG_METHOD);
    } else if (head.length > this.#maxBodyBytes) {
      if (head.length > this.#maxBodyBytes * 2) response.setHeader('connection', 'close');
      this.#refuse(response, intake, TOO_LARGE);
    } else {
      this.#receiveBody(request, response, intake, head.isLines);
    }
  }

  #receiveBody(
    request: IncomingMessage,
    response: ServerResponse,
    intake: HttpIntake,
    isLines: boolean,
  ): void {
    const { socket } = request;
    this.#receiving.set(socket, intake);
    readBody(request, {
      maxBytes: this.#maxBodyBytes,
      budget: this.#budget,
      complete: (body) => {
        this.#receiving.delete(socket);
        this.#submit({ body, isLines, headers: headersOf(request) }, response, intake);
      },
      refused: (reason) => {
        this.#receiving.delete(socket);
        this.#refuse(response, intake, reason === 'too_large' ? TOO_LARGE : OVERLOADED);
      },
    });
  }

  #submit(request: IntakeRequest, response: ServerResponse, intake: HttpIntake): void {
    const socket = response.socket;
    let isAnswered = false;
    intake.submit(request, (answer) => {
      isAnswered = true;
      if (socket !== null) this.#waiting.delete(socket);
      writeAnswer(response, answer);
      intake.answered(answer.status);
    });
    if (!isAnswered && socket !== null) this.#waiting.add(socket);
  }

  /**
   * Answers without having read the body. What follows of it is read and thrown away, within the
   * time limit of a request: closing at once would reset the connection, and the caller would never
   * see the answer.
   */
  #refuse(response: ServerResponse, intake: HttpIntake | undefined, answer: HttpAnswer): void {
    writeAnswer(response, answer);
    this.#count(intake, answer);
  }

  #count(intake: HttpIntake | undefined, { status }: HttpAnswer): void {
    if (intake === undefined) this.#answeredUnrouted(status);
    else intake.answered(status);
  }

  #find(request: IncomingMessage): HttpIntake | undefined {
    return this.#routes.find(readHead(request).host, request.url ?? '');
  }

  #refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET' || this.#waiting.has(socket)) {
      socket.destroy();
      return;
    }
    const intake = this.#receiving.get(socket);
    this.#receiving.delete(socket);
    this.#answerConnection(socket, connectionRefusal(error.code ?? ''), intake);
  }

  /** Answers where there is no request to respond to, and ends the connection. */
  #answerConnection(socket: Socket, answer: HttpAnswer, intake: HttpIntake | undefined): void {
    const body = JSON.stringify({ error: answer.error });
    const head = [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
      'Connection: close',
      ...(answer.status === 405 ? ['Allow: POST'] : []),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.on('error', () => socket.destroy());
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
    this.#count(intake, answer);
  }
}

function connectionRefusal(code: string): HttpAnswer {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal(408, 'REQUEST_TIMEOUT', 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return refusal(431, 'HEADERS_TOO_LARGE', 'the request head is too large');
    default:
      return refusal(400, 'BODY_INCOMPLETE', 'the request cannot be read completely');
  }
}

const EMPTY_BODY = ['content-length', '0'];

function writeAnswer(response: ServerResponse, answer: HttpAnswer): void {
  if (response.destroyed || response.headersSent) return;
  if (answer.error === undefined) {
    response.writeHead(answer.status, EMPTY_BODY);
    response.end();
    return;
  }
  const body = JSON.stringify({ error: answer.error });
  response.statusCode = answer.status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', Buffer.byteLength(body));
  if (answer.retryAfterSeconds !== undefined) {
    response.setHeader('retry-after', answer.retryAfterSeconds);
  }
  response.end(body);
}

interface RequestHead {
  readonly host: string | undefined;
  readonly length: number;
  readonly isLines: boolean;
}

/** Reads the few headers that matter without building an object of all of them. */
function readHead(request: IncomingMessage): RequestHead {
  let host: string | undefined;
  let length = 0;
  let isLines = false;
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') host ??= value;
    else if (name.length === 14 && name.toLowerCase() === 'content-length') length = Number(value);
    else if (name.length === 12 && name.toLowerCase() === 'content-type')
      isLines = isLinesType(value);
  }
  return { host, length, isLines };
}

function isLinesType(value: string): boolean {
  const [type = ''] = value.split(';', 1);
  return type.trim().toLowerCase() === LINES_TYPE;
}

function headersOf(request: IncomingMessage): (name: string) => readonly string[] {
  return (name) => {
    const wanted = name.toLowerCase();
    const { rawHeaders } = request;
    const values: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      if (rawHeaders[index]?.toLowerCase() === wanted) values.push(rawHeaders[index + 1] ?? '');
    }
    return values;
  };
}
