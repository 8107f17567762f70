import type { ClientTransport, CloseOptions, TransactionTransport } from '../client-transport.js';
import type { AttemptContext, CommandTransport, PreparedCommand } from '../command-call.js';
import type { CommandVerdict } from '../command-verdict.js';
import type { ResolvedOptions } from '../connect-options.js';
import type { SubscribeOptions, Subscription } from '../subscription.js';
import type { Suggestion, SuggestOptions } from '../suggestions.js';
import { Endpoints } from './endpoints.js';
import { type LinkOwner, SessionLink } from './session-link.js';
import type { SessionEvents } from './session-opening.js';
import { CLEAN_CLOSE } from './session-socket.js';
import { SessionSubscriptions } from './session-subscriptions.js';
import { SessionSupply } from './session-supply.js';

/**
 * Sends commands over sessions: one for all that belongs to no transaction, and one for each open
 * transaction, because a session that is bound to one takes every statement into it.
 */
export class SessionTransport implements ClientTransport, CommandTransport, LinkOwner {
  readonly options: ResolvedOptions;
  readonly #endpoints: Endpoints;
  readonly #unbound: SessionLink;
  readonly #subscriptions: SessionSubscriptions;
  readonly #links: Set<SessionLink> = new Set();
  #isClosed = false;

  constructor(options: ResolvedOptions) {
    this.options = options;
    this.#endpoints = new Endpoints([options.origin, ...options.seeds]);
    this.#unbound = this.#link({
      observe: (observation) => this.#subscriptions.observe(observation),
      ended: (reason) => this.#subscriptions.sessionEnded(reason),
    });
    this.#subscriptions = new SessionSubscriptions(this.#unbound);
  }

  get commands(): CommandTransport {
    return this;
  }

  transaction(): TransactionTransport {
    return this.#link();
  }

  subscribe(domain: string, options: SubscribeOptions): Promise<Subscription> {
    return this.#subscriptions.open(domain, options);
  }

  suggest(options: SuggestOptions): Promise<readonly Suggestion[]> {
    return this.#unbound.suggest(options);
  }

  /** A text that may begin or join a transaction never binds the session of the others. */
  async attempt(command: PreparedCommand, context: AttemptContext): Promise<CommandVerdict> {
    if (command.transaction === undefined && !mayBegin(command.query)) {
      return this.#unbound.attempt(command, context);
    }
    return this.once((link) => link.attempt(command, context));
  }

  released(link: SessionLink): void {
    this.#links.delete(link);
  }

  async once<T>(use: (link: SessionLink) => Promise<T>): Promise<T> {
    const link = this.#link();
    try {
      return await use(link);
    } finally {
      link.release();
    }
  }

  async close({ abandonTransaction = false }: CloseOptions): Promise<void> {
    this.#isClosed = true;
    this.#subscriptions.close();
    const links = [...this.#links];
    this.#links.clear();
    await Promise.all(links.map((link) => link.close(abandonTransaction)));
  }

  #link(events?: SessionEvents): SessionLink {
    const sessions = new SessionSupply(this.options, this.#endpoints, events);
    // A link of a closed client opens no session.
    if (this.#isClosed) void sessions.close(CLEAN_CLOSE);
    const link = new SessionLink(this.options, sessions, this);
    this.#links.add(link);
    return link;
  }
}

function mayBegin(query: string): boolean {
  return /\bbegin\b/i.test(query);
}
