import {
  type ClientGrant,
  type ClientRequest,
  DEFAULT_FRAME_LIMITS,
  encodeClientFrame,
  type FrameLimits,
  type ReplyBody,
  readServerFrame,
  SESSION_SUBPROTOCOL,
  type ServerBody,
  TransferJoiner,
} from '@nervix/protocol/session';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { AUTHORIZATION } from './session.ts';

/** How a client connects, where it is not as the server expects it. */
export interface ClientSetup {
  readonly path?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: FrameLimits;
  readonly options?: ClientOptions;
}

/** How long a test waits for what must come. */
const PATIENCE_MS = 10_000;

/** A client that is no more than a socket and the codec. */
export class SessionClient {
  readonly socket: WebSocket;
  /** Everything that came, in order; replies in parts are joined. */
  readonly bodies: ServerBody[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #limits: FrameLimits;
  readonly #joiners = new Map<bigint, TransferJoiner>();
  readonly #watchers = new Set<() => void>();
  /** Frames that came, parts too. */
  frames = 0;
  pings = 0;
  #nextId = 1n;

  private constructor(socket: WebSocket, limits: FrameLimits) {
    this.socket = socket;
    this.#limits = limits;
    socket.on('message', (message) => this.#take(message as Buffer));
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('error', () => undefined);
    socket.on('ping', () => {
      this.pings += 1;
      this.#wake();
    });
    void this.closed.then(() => this.#wake());
  }

  /** Connects; rejects when the server does not let it in. */
  static async connect(port: number, setup: ClientSetup = {}): Promise<SessionClient> {
    const { path = '/session', protocols = [SESSION_SUBPROTOCOL] } = setup;
    const { headers = { authorization: AUTHORIZATION }, limits = DEFAULT_FRAME_LIMITS } = setup;
    const address = `ws://127.0.0.1:${port}${path}`;
    const socket = new WebSocket(address, [...protocols], { headers, ...setup.options });
    const client = new SessionClient(socket, limits);
    onTestFinished(() => socket.terminate());
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  /** Sends a request and gives its id. */
  send(request: ClientRequest, id: bigint = this.#nextId): bigint {
    if (id >= this.#nextId) this.#nextId = id + 1n;
    this.socket.send(encodeClientFrame({ request_id: id, request }));
    return id;
  }

  /** Sends credit, which nothing answers. */
  grant(request: ClientGrant): void {
    this.socket.send(encodeClientFrame({ request }));
  }

  /** Sends a request and gives its terminal reply. */
  async ask(request: ClientRequest): Promise<ReplyBody> {
    return this.reply(this.send(request));
  }

  /** The terminal reply of a request. */
  async reply(id: bigint): Promise<ReplyBody> {
    const body = await this.find((each) => each.t === 'Reply' && each.request_id === id);
    if (body.t !== 'Reply') throw new Error('no reply');
    return body.body;
  }

  /** The first body, come or to come, that fits. */
  async find(fits: (body: ServerBody) => boolean): Promise<ServerBody> {
    let found: ServerBody | undefined;
    await this.until(() => {
      found = this.bodies.find(fits);
      return found !== undefined;
    });
    if (found === undefined) throw new Error('the body is gone');
    return found;
  }

  /** Waits for a condition that what comes makes true. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => settle(new Error('what was waited for never came')),
        PATIENCE_MS,
      );
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        if (error === undefined) resolve();
        else reject(error);
      };
      const check = (): void => {
        if (holds()) settle();
        else if (this.socket.readyState === WebSocket.CLOSED) settle(new Error('closed'));
      };
      this.#watchers.add(check);
      check();
    });
  }

  /** Ends the session as a client does that is done. */
  async close(): Promise<void> {
    this.socket.close(1000);
    await this.closed;
  }

  #take(message: Uint8Array): void {
    this.frames += 1;
    const reading = readServerFrame(message, this.#limits);
    if (reading.kind === 'invalid') throw new Error(`the server sent no frame: ${reading.message}`);
    this.bodies.push(...this.#joined(reading.frame.body));
    this.#wake();
  }

  #joined(body: ServerBody): readonly ServerBody[] {
    if (body.t !== 'Reply' || body.body.t !== 'TransferPart') return [body];
    const { request_id: id } = body;
    const joiner = this.#joiners.get(id) ?? new TransferJoiner(id, this.#limits);
    this.#joiners.set(id, joiner);
    const progress = joiner.take(body.body);
    if (progress.kind === 'invalid') throw new Error(progress.message);
    return progress.kind === 'frame' ? [progress.frame.body] : [];
  }

  #wake(): void {
    for (const check of [...this.#watchers]) check();
  }
}
