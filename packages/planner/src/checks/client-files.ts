import type {
  ClientConfigValue,
  ClientFile,
  ClientModel,
  HttpClientPlan,
  SecretReference,
} from '@nervix/model';

/** Keys of the files that a client speaks TLS with. */
export const TLS_KEYS = ['tls_ca_file', 'tls_cert_file', 'tls_key_file'] as const;

/** A setting; keys are matched without regard to case, and the first one counts. */
export function settingOf({ config }: ClientModel, key: string): ClientConfigValue | undefined {
  return config.find((entry) => entry.key.toLowerCase() === key)?.value;
}

/** What a setting takes its value from. */
export function secretOf({
  name,
  key,
}: Extract<ClientConfigValue, { kind: 'secret' }>): SecretReference {
  return { name, key };
}

/** What a client's settings say of files. */
export type ClientFiles =
  | { readonly kind: 'files'; readonly plan: Pick<HttpClientPlan, 'mount' | 'tls'> }
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads the mount of a client and the files of its settings. */
export function clientFiles(model: ClientModel): ClientFiles {
  const defect = unknownVariable(model) ?? misplacedVariable(model);
  if (defect !== undefined) return { kind: 'refused', reason: defect };
  const [ca, certificate, key] = TLS_KEYS.map((name) => fileOf(model, name));
  if ((certificate === undefined) !== (key === undefined)) {
    const reason = "TLS client authentication requires both 'tls_cert_file' and 'tls_key_file'";
    return { kind: 'refused', reason };
  }
  const identity =
    certificate === undefined || key === undefined ? {} : { identity: { certificate, key } };
  const tls = { ...(ca === undefined ? {} : { ca }), ...identity };
  const { mount } = model;
  return {
    kind: 'files',
    plan: {
      ...(mount === null
        ? {}
        : { mount: { resource: mount.resource, version: Number(mount.version) } }),
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
    },
  };
}

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/gu;

/** Each setting may name the mounted resource, and nothing else. */
function unknownVariable({ config, mount }: ClientModel): string | undefined {
  for (const { key, value } of config) {
    if (value.kind !== 'text') continue;
    for (const [, name] of value.text.matchAll(VARIABLE)) {
      if (mount !== null && name === mount.resource) continue;
      return `unknown template variable '${name}' in client config key '${key}'`;
    }
  }
  return undefined;
}

/** Where a path leaves the node for the mounted version. */
const MOUNTED = /^\{\{[^{}]*\}\}\/+/u;

/** A path lies in the mounted version as a whole; a variable elsewhere would be read as its own text. */
function misplacedVariable(model: ClientModel): string | undefined {
  const key = TLS_KEYS.find((each) => {
    const setting = settingOf(model, each);
    return setting?.kind === 'text' && setting.text.replace(MOUNTED, '').includes('{{');
  });
  if (key === undefined) return undefined;
  return `client config key '${key}' may name a resource at its beginning only, before a '/'`;
}

function fileOf(model: ClientModel, key: string): ClientFile | undefined {
  const setting = settingOf(model, key);
  if (setting === undefined) return undefined;
  if (setting.kind === 'secret') return { kind: 'secret', secret: secretOf(setting) };
  const { text } = setting;
  const path = text.replace(MOUNTED, '');
  return path === text ? { kind: 'local', path } : { kind: 'mounted', path };
}
