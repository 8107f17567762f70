import type { ControlContext } from '../control-plane/control-context.js';
import { newReference } from '../control-plane/execution-reference.js';
import type { ServerOptions } from '../options/server-options.js';
import { userKey } from '../replicated-state/record-keys.js';
import { generatePassword } from './password.js';

/** What the first user is made of. */
export type FirstUser = Pick<
  ServerOptions,
  'defaultUser' | 'initDefaultUserPassword' | 'onInitialPassword'
>;

/**
 * Creates the default user in a store that holds no user. Any other store is left alone, also when
 * it does not know the default user: whoever starts the node gains no way in by that.
 */
export async function createFirstUser(
  { defaultUser: name, initDefaultUserPassword: given, onInitialPassword }: FirstUser,
  { state, log, logger, hashPassword, nowMs }: ControlContext,
): Promise<void> {
  if (state.hasUsers) return;
  const password = given ?? generatePassword();
  const passwordHash = await hashPassword(password);
  // Told before it is stored: a crash in between costs one more password, not the only one.
  if (given === undefined) onInitialPassword?.(name, password);
  await log.write({
    fences: [{ key: userKey(name), revision: 0 }],
    put: [{ kind: 'user', name, incarnation: newReference(nowMs()), passwordHash }],
  });
  logger.info('default user created', { user: name });
}
