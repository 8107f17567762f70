import type { FrameLeader } from '@nervix/protocol/session';
import type { ResolvedOptions } from '../connect-options.js';
import { RedirectRefusedError, SessionEndedError } from '../errors.js';
import type { Endpoints } from './endpoints.js';
import type { Observation, SessionConnection } from './session-connection.js';
import { openSession, type SessionEvents, type SessionOpening } from './session-opening.js';

/** What following a server's word about the leader came to. */
export type Following =
  | { readonly kind: 'following' }
  /** The server names no leader that can be reached. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly error: RedirectRefusedError };

/** Supplies one open session after the other: the present one while it lasts, then a new one. */
export class SessionSupply {
  readonly #options: ResolvedOptions;
  readonly #endpoints: Endpoints;
  readonly #events: SessionEvents;
  readonly #end = new AbortController();
  #current: SessionConnection | undefined;
  #opening: Promise<SessionOpening> | undefined;
  /** Where the leader was last said to be. */
  #leader: string | undefined;

  constructor(
    options: ResolvedOptions,
    endpoints: Endpoints,
    events: SessionEvents = { observe: () => undefined, ended: () => undefined },
  ) {
    this.#options = options;
    this.#endpoints = endpoints;
    this.#events = events;
  }

  /** The present session, or else a new one; whoever asks meanwhile gets the same. */
  async take(signal: AbortSignal): Promise<SessionOpening> {
    if (this.#end.signal.aborted) return closedOpening();
    if (signal.aborted) return { kind: 'aborted' };
    const current = this.#current;
    if (current !== undefined && current.endReason === undefined) {
      return { kind: 'open', connection: current };
    }
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return unlessAborted(this.#opening, signal);
  }

  /** Leaves a session for the leader that its server names, if that may be followed (CL-8, CL-33). */
  follow(connection: SessionConnection, leader: FrameLeader | undefined): Following {
    const address = leader?.session_uri;
    if (address === undefined) {
      connection.fail('its node does not lead');
      return { kind: 'unknown' };
    }
    const learned = this.#endpoints.learn(address);
    if (learned.kind === 'refused') {
      const error = new RedirectRefusedError(connection.origin, address, learned.reason);
      return { kind: 'refused', error };
    }
    this.#leader = learned.origin;
    connection.fail('its node does not lead');
    return { kind: 'following' };
  }

  /** Ends the present session, and takes no new one up. */
  async close(code: number): Promise<void> {
    this.#end.abort();
    await this.#opening;
    await this.#current?.close(code);
  }

  async #open(): Promise<SessionOpening> {
    const previous = this.#current?.origin;
    const origins = this.#endpoints.candidates({ leader: this.#leader, previous });
    this.#leader = undefined;
    const events: SessionEvents = {
      observe: (observation) => this.#take(observation),
      ended: (reason) => this.#events.ended(reason),
    };
    const opening = await openSession(this.#options, origins, events, this.#end.signal);
    if (opening.kind === 'aborted') return closedOpening();
    if (opening.kind !== 'open') return opening;
    if (this.#end.signal.aborted) {
      opening.connection.fail('the client was closed');
      return closedOpening();
    }
    this.#current = opening.connection;
    return opening;
  }

  /** Learns of other nodes from what they say, and passes it on. */
  #take(observation: Observation): void {
    if (observation.t === 'LeadershipObserved') {
      const { leadership } = observation;
      if (leadership.t === 'LeaderIsRemote' && leadership.session_uri !== undefined) {
        this.#endpoints.learn(leadership.session_uri);
      }
    } else if (observation.t === 'SessionEnding') {
      const { reason } = observation;
      const address = reason.t === 'LeaderRedirect' ? reason.leader?.session_uri : undefined;
      const learned = address === undefined ? undefined : this.#endpoints.learn(address);
      if (learned?.kind === 'learned') this.#leader = learned.origin;
    }
    this.#events.observe(observation);
  }
}

function closedOpening(): SessionOpening {
  return { kind: 'failed', error: new SessionEndedError('the client was closed') };
}

function unlessAborted(
  opening: Promise<SessionOpening>,
  signal: AbortSignal,
): Promise<SessionOpening> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve({ kind: 'aborted' });
    signal.addEventListener('abort', abort, { once: true });
    const done = (): void => signal.removeEventListener('abort', abort);
    opening.then(resolve, reject).finally(done);
  });
}
