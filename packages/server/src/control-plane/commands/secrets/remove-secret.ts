import { domainKey } from '../../../replicated-state/record-keys.js';
import type { SecretRecord } from '../../../replicated-state/secret-records.js';
import { secretCatalogKey, secretKey } from '../../../replicated-state/secret-records.js';
import { usersOfSecret } from '../../../secrets/secret-catalog.js';
import type { ControlContext } from '../../control-context.js';
import { completed, failed, type Outcome } from '../../outcome.js';
import { type ReferencedCommand, referenceRecord } from '../../submission.js';
import { valueName } from './value-name.js';

/** What of a secret is removed: one value, or all of it. */
export interface SecretRemoval {
  readonly domain: string;
  readonly name: string;
  /** Absent for all values. */
  readonly key?: string;
}

/** Removes a secret that no model needs. */
export async function removeSecret(
  context: ControlContext,
  command: ReferencedCommand,
  removal: SecretRemoval,
): Promise<Outcome> {
  const { state, log, secrets, logger } = context;
  const { domain, name, key } = removal;
  const refusal = secrets.writeRefusal;
  if (refusal !== undefined) return failed('UNSUPPORTED_CAPABILITY', refusal);
  for (;;) {
    // A model that begins to use the secret, or another value that takes its place, moves one of these.
    const fences = [domainKey(domain), secretCatalogKey(domain)].map((each) => {
      return { key: each, revision: state.revisionOf(each) };
    });
    const removed = state.secrets
      .of(domain)
      .filter((each) => each.name === name && (key === undefined || each.key === key));
    const title = valueName(name, key ?? null);
    if (removed.length === 0) return failed('NOT_FOUND', `${title} does not exist`);
    const users = [...new Set(removed.flatMap((each) => usersOf(context, each)))];
    if (users.length > 0) {
      const message = `cannot drop ${title} because it is used by ${users.join(', ')}`;
      return failed('IN_USE', message);
    }
    const outcome = completed(`dropped ${title}`);
    const result = await log.write({
      fences,
      put: [{ kind: 'secret_catalog', domain }],
      remove: removed.map((each) => secretKey(domain, name, each.key)),
      reference: referenceRecord(command, outcome, context.nowMs()),
    });
    if (result.kind === 'raced') continue;
    logger.info('secret dropped', {
      domain,
      name,
      key,
      user: command.owner.user,
      execution_reference: command.reference,
    });
    return outcome;
  }
}

function usersOf({ state, secrets }: ControlContext, used: SecretRecord): readonly string[] {
  const { domain } = used;
  const users = usersOfSecret(state.models(domain), secrets.list(domain), used);
  return users.map(({ name }) => name);
}
