import { randomBytes } from 'node:crypto';
import type { Principal } from '../control-plane/control-plane.js';

/** How long a ticket may wait for its use. */
export const TICKET_VALIDITY_MS = 60_000;

/** Tickets that wait at most; more are a fault of whoever asks for them. */
const TICKETS_MAX = 10_000;
const TICKET_BYTES = 32;

interface SoldTicket {
  readonly principal: Principal;
  /** On the clock of the tickets. */
  readonly expiresAtMs: number;
}

/** Tickets that stand for a user's credentials once, for clients that can send no header. */
export class SessionTickets {
  readonly #nowMs: () => number;
  /** In the order in which they were sold, which is that in which they expire. */
  readonly #sold = new Map<string, SoldTicket>();

  /** @param nowMs a clock that does not go back */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Sells a ticket; undefined when too many wait for their use. */
  sell(principal: Principal): string | undefined {
    this.#forgetExpired();
    if (this.#sold.size >= TICKETS_MAX) return undefined;
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    this.#sold.set(ticket, { principal, expiresAtMs: this.#nowMs() + TICKET_VALIDITY_MS });
    return ticket;
  }

  /** Whom a ticket stands for; it stands for nobody afterwards. */
  redeem(ticket: string): Principal | undefined {
    this.#forgetExpired();
    const sold = this.#sold.get(ticket);
    this.#sold.delete(ticket);
    return sold?.principal;
  }

  /** Makes the tickets of a user stand for nobody. */
  revoke(user: string): void {
    for (const [ticket, { principal }] of this.#sold) {
      if (principal.user === user) this.#sold.delete(ticket);
    }
  }

  #forgetExpired(): void {
    const nowMs = this.#nowMs();
    for (const [ticket, { expiresAtMs }] of this.#sold) {
      if (expiresAtMs > nowMs) return;
      this.#sold.delete(ticket);
    }
  }
}
