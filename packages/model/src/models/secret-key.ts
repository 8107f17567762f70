import type { ClientConfigEntry, ClientModel, ClientType } from './client.js';
import type { Model } from './model.js';

/** What stands in texts in place of a secret. */
export const REDACTED = '<redacted>';

const SECRET_KEYS: ReadonlySet<string> = new Set([
  'password',
  'sasl.password',
  'ssl.key.password',
  'token',
  'secret',
  'access_key_id',
  'secret_access_key',
  'session_token',
  'account_key',
  'sas_token',
  'client_secret',
  'connection_string',
  'credentials_json',
  'dsn',
]);

const SECRET_ENDING = /(?:password|passwd|secret|token|_key|\.key)$/;

/** The user information of each URL in a text: up to the last `@` of the authority. */
const USER_INFORMATION = /:\/\/(?:([^\s/?#:@]*):)?([^\s/?#]*)@/gu;

/**
 * Whether the values of a client's config key are secrets.
 *
 * @param key in any case
 */
export function isSecretKey(type: ClientType, key: string): boolean {
  const name = key.toLowerCase();
  if (SECRET_KEYS.has(name) || SECRET_ENDING.test(name)) return true;
  return type === 'OTEL' && name === 'headers';
}

/** The text of a config value as everyone may see it: no secret, no credentials in URLs. */
export function redactConfigText(type: ClientType, key: string, text: string): string {
  if (isSecretKey(type, key)) return REDACTED;
  return text.replace(USER_INFORMATION, (_, user: string | undefined) =>
    user === undefined ? `://${REDACTED}@` : `://${user}:${REDACTED}@`,
  );
}

/** Whether the text of a config value shows that its secret was left out. */
export function holdsRedacted(type: ClientType, key: string, text: string): boolean {
  if (!text.includes(REDACTED)) return false;
  if (isSecretKey(type, key)) return text === REDACTED;
  return [...text.matchAll(USER_INFORMATION)].some(([, , secret]) => secret === REDACTED);
}

/** A model as everyone may see it: references to secrets stay, literal secrets do not. */
export function redactSecrets(model: Model): Model {
  return model.kind === 'client' ? redactClient(model) : model;
}

function redactClient(model: ClientModel): ClientModel {
  const config = model.config.map((entry): ClientConfigEntry => {
    const { key, value } = entry;
    if (value.kind === 'secret') return entry;
    const text = redactConfigText(model.type, key, value.text);
    return text === value.text ? entry : { key, value: { kind: 'text', text } };
  });
  return { ...model, config };
}
