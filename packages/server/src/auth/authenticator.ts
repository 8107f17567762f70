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

/** What is stored of a user. */
export interface StoredUser {
  /** Tells users of one name apart. */
  readonly incarnation: string;
  /** Argon2id hash of the password. */
  readonly passwordHash: string;
}

/** What an {@link Authenticator} asks of its surroundings. */
export interface AuthenticatorOptions {
  /** The user of a name as it is stored, or undefined for an unknown one. */
  user(name: string): StoredUser | undefined;
  /** Verifications at once. Each takes a thread of the pool that disk writes also use. */
  readonly runningMax?: number;
  /** Verifications waiting for those. */
  readonly waitingMax?: number;
  readonly clock?: PacerClock;
  readonly verify?: (storedHash: string, password: string) => Promise<boolean>;
}

const REJECTED: Authentication = { kind: 'rejected' };

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
      const known = this.#known(credentials);
      if (known !== undefined) return known;
      const turn = await this.#pacer.turn(credentials.user);
      if (turn === 'refused') return { kind: 'busy' };
      if (!(await this.#slots.take())) return { kind: 'busy' };
      try {
        // While this attempt waited for its slot another one may have succeeded or failed.
        const known = this.#known(credentials);
        if (known !== undefined) return known;
        if (turn === 'free' && this.#pacer.isFailing(credentials.user)) continue;
        return await this.#check(credentials);
      } finally {
        this.#slots.release();
      }
    }
  }

  /** Whether a user that was let in is still there; one dropped and made again is another. */
  knows({ user, incarnation }: Principal): boolean {
    return this.#options.user(user)?.incarnation === incarnation;
  }

  /** A verified password needs no turn: it is no guess, and guesses of others must not block it. */
  #known({ user, password }: Credentials): Authentication | undefined {
    const stored = this.#options.user(user);
    if (stored === undefined || !this.#cache.has(user, stored.passwordHash, password)) {
      return undefined;
    }
    return authenticated(user, stored);
  }

  async #check({ user, password }: Credentials): Promise<Authentication> {
    const stored = this.#options.user(user);
    if (stored === undefined) {
      // An unknown user takes as long as a known one.
      this.#decoyHash ??= hashPassword('');
      await this.#verify(await this.#decoyHash, password);
      this.#pacer.failed(user);
      return REJECTED;
    }
    const { incarnation, passwordHash } = stored;
    if (!(await this.#verify(passwordHash, password))) {
      this.#pacer.failed(user);
      return REJECTED;
    }
    // The user may have been dropped, or given another password, while this one was verified.
    const now = this.#options.user(user);
    if (now?.passwordHash !== passwordHash || now.incarnation !== incarnation) return REJECTED;
    this.#cache.add(user, passwordHash, password);
    this.#pacer.succeeded(user);
    return authenticated(user, stored);
  }
}

function authenticated(user: string, { incarnation }: StoredUser): Authentication {
  return { kind: 'authenticated', principal: { user, incarnation } };
}
