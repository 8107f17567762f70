import { domainKey } from '../../../replicated-state/record-keys.js';
import { type SecretRecord, secretKey } from '../../../replicated-state/secret-records.js';
import type { ControlContext } from '../../control-context.js';
import { completed, failed, type Outcome } from '../../outcome.js';
import { type ReferencedCommand, referenceRecord } from '../../submission.js';
import { valueName } from './value-name.js';

/** The next version of one value of a secret. */
export interface SecretWrite {
  readonly domain: string;
  readonly name: string;
  readonly key: string | null;
  readonly value: string;
}

/**
 * Makes a value the current version of a secret. It changes no model and holds nothing: connections
 * that are open stay, later attempts use it, and what was planned before is stale.
 */
export async function writeSecret(
  context: ControlContext,
  command: ReferencedCommand,
  { domain, name, key, value }: SecretWrite,
): Promise<Outcome> {
  const { state, log, secrets, logger } = context;
  for (;;) {
    const place = secretKey(domain, name, key);
    const fences = [domainKey(domain), place].map((each) => {
      return { key: each, revision: state.revisionOf(each) };
    });
    if (state.domain(domain) === undefined) {
      return failed('NOT_FOUND', `domain '${domain}' does not exist`);
    }
    const former = state.secrets.of(domain).find((each) => each.name === name && each.key === key);
    const identity = former?.identity ?? command.reference;
    const version = (former?.version ?? 0) + 1;
    const sealed = await secrets.seal({ domain, name, key, identity, version }, value);
    const record: SecretRecord = { kind: 'secret', domain, name, key, identity, version, sealed };
    const outcome = completed(`wrote ${valueName(name, key)} version ${version}`);
    const result = await log.write({
      fences,
      put: [record, { kind: 'secret_catalog', domain }],
      reference: referenceRecord(command, outcome, context.nowMs()),
    });
    if (result.kind === 'raced') continue;
    logger.info('secret version written', {
      domain,
      name,
      key: key ?? undefined,
      version,
      user: command.owner.user,
      execution_reference: command.reference,
    });
    return outcome;
  }
}
