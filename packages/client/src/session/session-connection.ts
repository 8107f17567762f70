import {
  type ClientRequest,
  DEFAULT_FRAME_LIMITS,
  encodeClientFrame,
  type Reply,
  type ReplyBody,
  readServerFrame,
  type ServerBody,
  type SessionEnding,
  type SubscriptionHandle,
  TransferJoiner,
  type TransferPart,
} from '@nervix/protocol/session';
import { RejectedError } from '../errors.js';
import { InFlightRequests, type RequestEnd } from './in-flight-requests.js';
import { Liveness } from './liveness.js';
import {
  openSessionSocket,
  RELEASING_CLOSE,
  type SessionSocket,
  type SocketListener,
  type SocketOpening,
} from './session-socket.js';

/** A reply that ends a request. */
export type TerminalReply = Exclude<ReplyBody, TransferPart>;

/** What a session brings without having been asked; after a `SessionEnding` it is over. */
export type Observation = Exclude<ServerBody, Reply>;

/** What a session is opened with. */
export interface ConnectionSettings {
  readonly origin: string;
  /** Address with the credentials that admit it. */
  readonly url: string;
  /** Silence after which the session is probed, in milliseconds; three of them end it. 0: never. */
  readonly keepaliveMs: number;
  /** Takes all that comes unasked, in order, the first frame included. */
  readonly observe: (observation: Observation) => void;
  /** Told once, when an open session is over. */
  readonly ended: (reason: string) => void;
}

/** Who listens to what becomes of a request. */
export interface RequestListener {
  /** Told the id of the request when it is sent. */
  readonly sent?: (id: bigint) => void;
  /** Told of its terminal reply before anything else is read. */
  readonly replied?: ((reply: TerminalReply) => void) | undefined;
}

/** What became of opening a session. */
export type ConnectionOpening =
  | { readonly kind: 'open'; readonly connection: SessionConnection }
  | Exclude<SocketOpening, { kind: 'open' }>;

/** Time that a closing handshake may take, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

function endingText({ reason }: SessionEnding): string {
  switch (reason.t) {
    case 'ServerShuttingDown':
      return 'the server is shutting down';
    case 'LeaderRedirect':
      return 'the node does not lead any more';
    case 'ProtocolViolated':
      return `the server found the protocol violated: ${reason.message}`;
  }
}

/**
 * One session over one WebSocket. When it ends, for whatever reason, every request that waits is
 * interrupted, and it takes none any more; it is never opened again.
 */
export class SessionConnection {
  readonly origin: string;
  /** The transaction that this session is known to be bound to. */
  boundTransaction: string | undefined;
  readonly #settings: ConnectionSettings;
  readonly #requests: InFlightRequests<TerminalReply> = new InFlightRequests();
  readonly #transfers: Map<bigint, TransferJoiner> = new Map();
  readonly #liveness: Liveness;
  readonly #welcome = Promise.withResolvers<boolean>();
  readonly #closed = Promise.withResolvers<void>();
  #socket: SessionSocket | undefined;
  #isWelcomed = false;
  #endReason: string | undefined;

  private constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.origin = settings.origin;
    this.#liveness = new Liveness(settings.keepaliveMs, {
      probe: () => this.#probe(),
      lost: (reason) => this.fail(reason),
    });
  }

  /** Opens a session; it is open when the server's first frame has come. */
  static async open(settings: ConnectionSettings, signal: AbortSignal): Promise<ConnectionOpening> {
    const connection = new SessionConnection(settings);
    const opening = await openSessionSocket(settings.url, connection.#listener(), signal);
    if (opening.kind !== 'open') return opening;
    return connection.#begin(opening.socket, signal);
  }

  /** Why the session is over, or undefined while it is open. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  /**
   * Sends a request and waits for its terminal reply.
   *
   * @throws RejectedError when the request cannot be sent as a frame
   */
  request(
    request: ClientRequest,
    signal: AbortSignal,
    { sent, replied }: RequestListener = {},
  ): Promise<RequestEnd<TerminalReply>> {
    // Encoded before it waits for anything, so that what is no frame leaves nothing behind.
    const id = this.#requests.takeId();
    const frame = encode(id, request);
    checkSize(frame);
    const send = (): void => {
      this.#socket?.send(frame);
      sent?.(id);
    };
    return this.#requests.run({ id, bytes: frame.length, send }, signal, { replied });
  }

  /** Lets the server send more frames of rows. */
  grant(subscription: SubscriptionHandle, frames: number): void {
    const request = { t: 'GrantSubscriptionCredit', subscription, frames } as const;
    this.#socket?.send(encodeClientFrame({ request }));
  }

  /** Asks the server to cancel a request; the request itself still gets its reply. */
  async cancel(target: bigint, signal: AbortSignal): Promise<void> {
    const request: ClientRequest = { t: 'CancelRequest', target_request_id: target };
    const id = this.#requests.takeId();
    const frame = encode(id, request);
    const send = (): void => this.#socket?.send(frame);
    await this.#requests.run({ id, bytes: frame.length, send }, signal, { isUrgent: true });
  }

  /** Ends the session by its fault: nothing that comes after this is read. */
  fail(reason: string): void {
    this.#end(reason);
    this.#socket?.close(RELEASING_CLOSE);
  }

  /** Closes the session, and waits for the server to have seen it. */
  async close(code: number): Promise<void> {
    this.#end('the client closed it');
    this.#socket?.close(code);
    const timer = setTimeout(() => this.#closed.resolve(), CLOSE_TIMEOUT_MS);
    await this.#closed.promise;
    clearTimeout(timer);
  }

  async #begin(socket: SessionSocket, signal: AbortSignal): Promise<ConnectionOpening> {
    this.#socket = socket;
    const abort = (): void => this.fail('opening it was given up');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const isWelcome = await this.#welcome.promise;
    signal.removeEventListener('abort', abort);
    if (isWelcome) return { kind: 'open', connection: this };
    if (signal.aborted) return { kind: 'aborted' };
    return { kind: 'failed', reason: this.#endReason ?? 'it was not opened' };
  }

  #listener(): SocketListener {
    return {
      frame: (bytes) => this.#take(bytes),
      violated: (reason) => this.fail(reason),
      ended: (reason, isTooLarge) => {
        this.#end(reason, isTooLarge);
        this.#closed.resolve();
      },
    };
  }

  #take(bytes: Uint8Array): void {
    if (this.#endReason !== undefined) return;
    this.#liveness.heard();
    const reading = readServerFrame(bytes, DEFAULT_FRAME_LIMITS);
    if (reading.kind === 'invalid') this.fail(`protocol violation: ${reading.message}`);
    else this.#takeBody(reading.frame.body);
  }

  #takeBody(body: ServerBody): void {
    if (body.t === 'SessionEnding') {
      this.#settings.observe(body);
      this.fail(endingText(body));
      return;
    }
    if (!this.#isWelcomed) {
      this.#takeWelcome(body);
      return;
    }
    if (body.t === 'Reply') this.#takeReply(body);
    else this.#settings.observe(body);
  }

  #takeWelcome(body: ServerBody): void {
    if (body.t !== 'LeadershipObserved') {
      this.fail(`protocol violation: the session begins with ${body.t}`);
      return;
    }
    this.#isWelcomed = true;
    this.#liveness.start();
    this.#settings.observe(body);
    this.#welcome.resolve(true);
  }

  #takeReply({ request_id: id, body }: Reply): void {
    if (body.t !== 'TransferPart') {
      this.#transfers.delete(id);
      this.#requests.reply(id, body);
      return;
    }
    // What nobody waits for is dropped, and never gathered.
    if (!this.#requests.has(id)) return;
    const joiner = this.#transfers.get(id) ?? new TransferJoiner(id, DEFAULT_FRAME_LIMITS);
    this.#transfers.set(id, joiner);
    const progress = joiner.take(body);
    if (progress.kind === 'partial') return;
    this.#transfers.delete(id);
    if (progress.kind === 'invalid') this.fail(`protocol violation: ${progress.message}`);
    else this.#takeBody(progress.frame.body);
  }

  #end(reason: string, isTooLarge = false): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    this.#liveness.stop();
    this.#transfers.clear();
    this.#requests.end(reason, isTooLarge);
    this.#welcome.resolve(false);
    if (this.#isWelcomed) this.#settings.ended(reason);
  }

  /**
   * Neither browsers nor Node let a WebSocket ping. Cancelling an id that no request has is answered
   * on arrival and changes nothing.
   */
  #probe(): void {
    void this.cancel(this.#requests.takeId(), new AbortController().signal);
  }
}

function encode(id: bigint, request: ClientRequest): Uint8Array {
  try {
    return encodeClientFrame({ request_id: id, request });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw notAFrame(error);
  }
}

function notAFrame(cause: TypeError): RejectedError {
  return new RejectedError('INVALID_REQUEST', cause.message, { cause });
}

function checkSize(frame: Uint8Array): void {
  const bytesMax = DEFAULT_FRAME_LIMITS.frameBytes;
  if (frame.length <= bytesMax) return;
  const message = `the request takes ${frame.length} bytes; a frame holds ${bytesMax}`;
  throw new RejectedError('PAYLOAD_TOO_LARGE', message);
}
