import {
  type CancelRequest,
  type ClientRequest,
  type EndingReason,
  encodeServerFrame,
  type FrameLimits,
  REQUESTS_IN_FLIGHT_MAX,
  type ReplyBody,
  type RequestFrame,
  readClientFrame,
  type ServerBody,
} from '@nervix/protocol/session';
import type { ControlPlane, Principal } from '../control-plane/control-plane.js';
import type { Logger } from '../logging/logger.js';
import type { SessionCounts } from '../observability/session-counts.js';
import { type InFlightRequest, InFlightRequests } from './in-flight-requests.js';
import { InboundFrames } from './inbound-frames.js';
import { Keepalive } from './keepalive.js';
import { OrderedLane } from './ordered-lane.js';
import { OutboundLanes } from './outbound-lanes.js';
import { replyFrames, replyResult } from './reply-frames.js';
import { rejected } from './requests/rejection.js';
import type { RequestContext } from './requests/request-context.js';
import { isOrdered, isSupported, serveRequest, unsupported } from './requests/serve-request.js';
import { sentLimits } from './sent-limits.js';
import { CLOSE_CODES, type SessionSocket } from './session-socket.js';
import { SessionView } from './session-view.js';
import { SessionSubscriptions } from './subscriptions/session-subscriptions.js';

/** What all sessions of a listener share. */
export interface SessionServices {
  readonly controlPlane: ControlPlane;
  readonly logger: Logger;
  readonly counts: SessionCounts;
  readonly limits: FrameLimits;
  /** Silence after which a peer is pinged; 0 for never. */
  readonly keepaliveMs: number;
  /** How long a peer may take to hear the last word before its connection is cut. */
  readonly endingGraceMs: number;
}

/**
 * One session of one user: frames in, a reply for each request out. Commands run one at a time in
 * the order in which they came; what only reads runs beside them.
 */
export class Session {
  readonly #services: SessionServices;
  readonly #socket: SessionSocket;
  readonly #view: SessionView;
  readonly #context: RequestContext;
  readonly #subscriptions: SessionSubscriptions;
  readonly #sentLimits: FrameLimits;
  readonly #outbound: OutboundLanes;
  readonly #inbound: InboundFrames;
  readonly #inFlight = new InFlightRequests();
  readonly #ordered = new OrderedLane();
  readonly #keepalive: Keepalive;
  readonly #over = Promise.withResolvers<void>();
  /** Events that have no place yet, the newest of each kind. */
  readonly #observed = new Map<ServerBody['t'], Uint8Array>();
  #isObserving = false;
  #isEnding = false;
  /** Whether a reply was due after a side began to close. */
  #hasUnheardReply = false;

  constructor(socket: SessionSocket, principal: Principal, services: SessionServices) {
    const { controlPlane, logger, limits, keepaliveMs } = services;
    this.#services = services;
    this.#socket = socket;
    this.#view = new SessionView(principal, controlPlane);
    this.#outbound = new OutboundLanes(socket, limits.frameBytes);
    this.#subscriptions = new SessionSubscriptions(this.#outbound, logger);
    const [view, subscriptions] = [this.#view, this.#subscriptions];
    this.#sentLimits = sentLimits(limits);
    this.#context = { controlPlane, view, subscriptions, limits: this.#sentLimits, logger };
    this.#inbound = new InboundFrames(socket, (frame) => this.#take(frame));
    const watched = {
      received: () => socket.bytesReceived,
      isPaused: () => this.#inbound.isPaused,
      ping: () => socket.ping(),
      lost: () => socket.terminate(),
    };
    this.#keepalive = new Keepalive(watched, keepaliveMs);
  }

  get user(): string {
    return this.#view.principal.user;
  }

  /** Resolves when the connection is no more, and after a clean end the transaction is left. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Takes a message of the client. */
  receive(message: Uint8Array, isBinary: boolean): void {
    if (isBinary) this.#inbound.push(message);
    else this.#fail(CLOSE_CODES.unacceptable, 'a session speaks in binary messages');
  }

  /**
   * Sends what no request asked for. While there is no room for it, only the newest of each kind is
   * kept.
   */
  observe(kind: ServerBody['t'], frame: Uint8Array): void {
    if (this.#isEnding) return;
    this.#observed.set(kind, frame);
    if (!this.#isObserving) void this.#sendObserved();
  }

  /**
   * Ends the session by word: what is on its way goes out before, nothing that had no effect yet
   * will have one, and no reply follows.
   */
  async end(reason: EndingReason): Promise<void> {
    if (this.#isEnding) return;
    this.#stopServing();
    this.#inFlight.withdrawAll();
    this.#subscriptions.close();
    const frame = encodeServerFrame({ body: { t: 'SessionEnding', reason } });
    this.#cutAfterGrace();
    await this.#outbound.control(frame);
    await this.#outbound.controlDrained();
    this.#socket.close(CLOSE_CODES.normal);
  }

  /** Told once, when the connection is no more. */
  closed(code: number): void {
    const isIdle = this.#inFlight.isEmpty && this.#inbound.isEmpty && this.#outbound.isEmpty;
    const isClean =
      code === CLOSE_CODES.normal && isIdle && !this.#isEnding && !this.#hasUnheardReply;
    this.#stopServing();
    this.#subscriptions.close();
    this.#outbound.close();
    const left = this.#leave(isClean);
    // A broken session may still have work under way, which nobody waits for.
    if (isClean) void left.then(this.#over.resolve);
    else this.#over.resolve();
  }

  async #sendObserved(): Promise<void> {
    this.#isObserving = true;
    for (const [kind, frame] of this.#observed) {
      this.#observed.delete(kind);
      await this.#outbound.control(frame);
    }
    this.#isObserving = false;
  }

  async #leave(isClean: boolean): Promise<void> {
    const { controlPlane, logger } = this.#services;
    // What is under way may still begin a transaction.
    await this.#ordered.idle();
    const { attached, holder } = this.#view;
    if (attached === null) return;
    try {
      await controlPlane.leave(attached, holder, isClean ? 'clean' : 'broken');
    } catch (error) {
      logger.error('a session could not let go of its transaction', {}, error);
    }
  }

  #stopServing(): void {
    this.#isEnding = true;
    this.#inbound.close();
    this.#ordered.close();
    this.#keepalive.stop();
  }

  /** Ends the session without a word: its peer sends what is no frame. */
  #fail(code: number, reason: string): void {
    if (this.#isEnding) return;
    this.#stopServing();
    this.#inFlight.withdrawAll();
    this.#cutAfterGrace();
    this.#socket.close(code, reason);
  }

  /** A peer that does not answer the close is not waited for longer than it is given. */
  #cutAfterGrace(): void {
    const cut = setTimeout(() => this.#socket.terminate(), this.#services.endingGraceMs);
    void this.over.then(() => clearTimeout(cut));
  }

  #take(bytes: Uint8Array): Promise<void> | undefined {
    const reading = readClientFrame(bytes, this.#services.limits);
    switch (reading.kind) {
      case 'request':
        return this.#accept(reading.frame);
      case 'rejected': {
        const { requestId, field, message } = reading;
        return this.#send(requestId, '-', rejected('InvalidRequest', message, field));
      }
      case 'grant':
        this.#subscriptions.grant(reading.grant);
        return undefined;
      case 'unidentified':
        return this.end({ t: 'ProtocolViolated', message: reading.message });
      case 'invalid':
        this.#fail(CLOSE_CODES.invalid, reading.message);
        return undefined;
    }
  }

  #accept({ request_id: id, request }: RequestFrame): Promise<void> | undefined {
    const { t } = request;
    if (this.#inFlight.find(id) !== undefined) {
      const message = `request ${id} is still in flight`;
      return this.#send(id, t, rejected('DuplicateRequestId', message));
    }
    if (request.t === 'CancelRequest') return this.#cancel(id, request);
    if (this.#inFlight.isFull) {
      const message = `${REQUESTS_IN_FLIGHT_MAX} requests are in flight already`;
      return this.#send(id, t, rejected('TooManyRequestsInFlight', message));
    }
    if (!isSupported(request)) return this.#send(id, t, unsupported(request));
    this.#start(this.#inFlight.add(id, request), request);
    return undefined;
  }

  #start(entry: InFlightRequest, request: ClientRequest): void {
    const task = async (): Promise<void> => {
      await this.#serve(entry);
      this.#inFlight.finished();
    };
    if (isOrdered(request)) this.#ordered.add(task);
    else void task();
  }

  async #serve(entry: InFlightRequest): Promise<void> {
    if (entry.isAnswered) return;
    try {
      await this.#answer(entry, await serveRequest(entry, this.#context));
      if (entry.request.t === 'SubscribeRequest') this.#subscriptions.announced();
    } catch (error) {
      if (entry.isAnswered || this.#isEnding) return;
      const { t } = entry.request;
      this.#services.logger.error('a request failed', { request: t }, error);
      const message = 'the server failed; its log has the cause';
      await this.#answer(entry, rejected('ServerBusy', message));
    }
  }

  /** Withdraws what had no effect yet; of anything else only the wait ends. */
  #cancel(id: bigint, { t, target_request_id }: CancelRequest): Promise<void> | undefined {
    const target = this.#inFlight.find(target_request_id);
    const isInFlight = target !== undefined && !target.isAnswered;
    const state = isInFlight ? 'Requested' : 'NotInFlight';
    const outcome = this.#send(id, t, { t: 'CancelOutcome', target_request_id, state });
    if (!isInFlight) return outcome;
    const stage = target.admission.withdraw() ? 'BeforeAdmission' : 'AfterAdmission';
    void this.#answer(target, { t: 'RequestCancelled', stage });
    return outcome;
  }

  /** Sends the one terminal reply of a request in flight. */
  async #answer(entry: InFlightRequest, body: ReplyBody): Promise<void> {
    if (entry.isAnswered) return;
    entry.isAnswered = true;
    if (!this.#socket.isOpen) this.#hasUnheardReply = true;
    if (!this.#isEnding) await this.#send(entry.id, entry.request.t, body);
    this.#inFlight.answered(entry);
  }

  /** Replies; one that finds no room keeps the next frame from being read. */
  async #send(id: bigint, tag: string, body: ReplyBody): Promise<void> {
    this.#services.counts.answered(tag, replyResult(body));
    for (const frame of replyFrames(id, body, this.#sentLimits)) {
      await this.#outbound.control(frame);
    }
  }
}
