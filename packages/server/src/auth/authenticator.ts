import { setTimeout as wait } from 'node:timers/promises';
import { canonicalName, nameDefect } from '@nervix/model';
import type { Principal } from '../control-plane/control-plane.js';
import { AttemptPacer, type PacerClock } from './attempt-pacer.js';
import { type Credentials, readBasicCredentials } from './basic-credentials.js';
import { hashPassword, verifyPassword } from './password.js';
import { VerifiedCache } from './verified-cache.js';
import { VerifierSlots } from './verifier-slots.js';

/** Outcome of an authentication. `busy` says nothing about the credentials. */
export type Authentication =
  | { readonly kind: 'authenticated'; readonly principal: Principal }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'busy' };

/** What an {@link Authenticator} asks of its surroundings. */
export interface AuthenticatorOptions {
  /** Argon2id hash of a user's password, or undefined for an unknown user. */
  passwordHash(user: string): string | undefined;
  /** Verifications at once. Each takes a thread of the pool that disk writes also use. */
  readonly runningMax?: number;
  /** Verifications waiting for those. */
  readonly waitingMax?: number;
  readonly clock?: PacerClock;
  readonly verify?: (storedHash: string, password: string) => Promise<boolean>;
}

const RUNNING_MAX = 2;
const WAITING_MAX = 256;

const systemClock: PacerClock = {
  now: () => performance.now(),
  wait: async (ms) => {
    await wait(ms);
  },
};

/**
 * Tells who sent a request. A password costs one Argon2id run; after that its requests cost an HMAC.
 * Wrong passwords of a user are slowed to ten a second, whether or not the user exists.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #verify: (storedHash: string, password: string) => Promise<boolean>;
  readonly #pacer: AttemptPacer;
  readonly #slots: VerifierSlots;
  readonly #cache = new VerifiedCache();
  #decoyHash: Promise<string> | undefined;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#verify = options.verify ?? verifyPassword;
    this.#pacer = new AttemptPacer(options.clock ?? systemClock);
    this.#slots = new VerifierSlots(
      options.runningMax ?? RUNNING_MAX,
      options.waitingMax ?? WAITING_MAX,
    );
  }

  /** @param authorization the request's `Authorization` header */
  async authenticate(authorization: string | undefined): Promise<Authentication> {
    const given = readBasicCredentials(authorization);
    if (given === undefined || nameDefect(given.user) !== undefined) return { kind: 'rejected' };
    const credentials = { user: canonicalName(given.user), password: given.password };
    for (;;) {
      if (this.#isKnown(credentials)) return authenticated(credentials);
      const turn = await this.#pacer.turn(credentials.user);
      if (turn === 'refused') return { kind: 'busy' };
      if (!(await this.#slots.take())) return { kind: 'busy' };
      try {
        // While this attempt waited for its slot another one may have succeeded or failed.
        if (this.#isKnown(credentials)) return authenticated(credentials);
        if (turn === 'free' && this.#pacer.isFailing(credentials.user)) continue;
        return (await this.#check(credentials)) ? authenticated(credentials) : { kind: 'rejected' };
      } finally {
        this.#slots.release();
      }
    }
  }

  /** A verified password needs no turn: it is no guess, and guesses of others must not block it. */
  #isKnown({ user, password }: Credentials): boolean {
    const storedHash = this.#options.passwordHash(user);
    return storedHash !== undefined && this.#cache.has(user, storedHash, password);
  }

  async #check({ user, password }: Credentials): Promise<boolean> {
    const storedHash = this.#options.passwordHash(user);
    if (storedHash === undefined) {
      // An unknown user takes as long as a known one.
      this.#decoyHash ??= hashPassword('');
      await this.#verify(await this.#decoyHash, password);
      this.#pacer.failed(user);
      return false;
    }
    if (!(await this.#verify(storedHash, password))) {
      this.#pacer.failed(user);
      return false;
    }
    // The user may have been dropped, or given another password, while this one was verified.
    if (this.#options.passwordHash(user) !== storedHash) return false;
    this.#cache.add(user, storedHash, password);
    this.#pacer.succeeded(user);
    return true;
  }
}

function authenticated({ user }: Credentials): Authentication {
  return { kind: 'authenticated', principal: { user } };
}
