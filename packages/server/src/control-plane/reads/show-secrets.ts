import type { Model, OutputFormat } from '@nervix/model';
import type { SecretEntry, SecretList } from '@nervix/protocol';
import { usersOfSecret } from '../../secrets/secret-catalog.js';
import type { ControlContext } from '../control-context.js';

/** The secrets of a domain with their current versions and who uses them; no value is among it. */
export function listSecrets(
  { state, secrets }: Pick<ControlContext, 'state' | 'secrets'>,
  domain: string,
): SecretList {
  const models = state.models(domain);
  const list = secrets.list(domain);
  const { provider } = secrets;
  const entries = list.map((secret): SecretEntry => {
    const { name, key, version } = secret;
    const users = usersOfSecret(models, list, secret).map(shortName);
    return { name, key, version, provider, used_by: users };
  });
  return { secrets: entries };
}

/** `SHOW SECRETS`. */
export function showSecrets(list: SecretList, format: OutputFormat): string {
  if (format === 'JSON') return JSON.stringify(list.secrets, null, 2);
  if (list.secrets.length === 0) return 'no secrets';
  return list.secrets.map(line).join('\n');
}

function line({ name, key, version, provider, used_by: users }: SecretEntry): string {
  const used = users.length === 0 ? '-' : users.join(', ');
  return `- name=${name} key=${key ?? '-'} version=${version} provider=${provider} used_by=${used}`;
}

function shortName({ kind, name }: Model): string {
  return `${kind} ${name}`;
}
