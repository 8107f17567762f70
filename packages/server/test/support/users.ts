import type { StoredUser } from '../../src/auth/authenticator.ts';
import type { UserIdentity } from '../../src/replicated-state/user-identity.ts';

/** The first user of a name, where a test stores none. */
export function identityOf(user: string): UserIdentity {
  return { user, incarnation: `${user}-1` };
}

/** What is stored of the first user of a name. */
export function storedUser(user: string, passwordHash: string): StoredUser {
  return { incarnation: identityOf(user).incarnation, passwordHash };
}
