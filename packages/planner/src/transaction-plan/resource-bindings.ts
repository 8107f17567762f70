import {
  type Model,
  REBINDABLE_KINDS,
  type RebindableKind,
  type ResourceBinding,
} from '@nervix/model';

/** The resource that a model is bound to, if its kind and form have one. */
export function bindingOf(model: Model): ResourceBinding | null {
  switch (model.kind) {
    case 'vhost':
      return model.tls;
    case 'codec':
      return model.source.kind === 'protobuf' ? model.source.descriptors : null;
    case 'signaling_protocol':
      return model.format.kind === 'protobuf' ? model.format.descriptors : null;
    case 'inferencer':
    case 'wasm_processor':
    case 'hash_map':
      return model.resource;
    case 'client':
      return model.mount;
    default:
      return null;
  }
}

/** The model bound to another version of its resource; a model without one as it is. */
export function boundTo(model: Model, version: number): Model {
  const binding = bindingOf(model);
  if (binding === null) return model;
  const next: ResourceBinding = { ...binding, version: String(version) };
  switch (model.kind) {
    case 'vhost':
      return { ...model, tls: next };
    case 'client':
      return { ...model, mount: next };
    case 'inferencer':
    case 'wasm_processor':
    case 'hash_map':
      return { ...model, resource: next };
    case 'codec':
      if (model.source.kind !== 'protobuf') return model;
      return { ...model, source: { ...model.source, descriptors: next } };
    case 'signaling_protocol':
      if (model.format.kind !== 'protobuf') return model;
      return { ...model, format: { ...model.format, descriptors: next } };
    default:
      return model;
  }
}

const REBINDABLE: ReadonlySet<string> = new Set(REBINDABLE_KINDS);

/** Whether models of a kind may bind a resource. */
export function isRebindable(kind: Model['kind']): kind is RebindableKind {
  return REBINDABLE.has(kind);
}

/** Completed versions by resource, each ascending; only declared resources are listed. */
export type ResourceCatalog = ReadonlyMap<string, readonly number[]>;

/** What a requested version stands for, or why it stands for none. */
export type ResolvedVersion =
  | { readonly kind: 'resolved'; readonly requested: 'LATEST' | number; readonly version: number }
  | { readonly kind: 'refused'; readonly reason: string };

/** Resolves a version as written against what is complete. */
export function resolveVersion(
  domain: string,
  resources: ResourceCatalog,
  { resource, version: written }: ResourceBinding,
): ResolvedVersion {
  const versions = resources.get(resource) ?? [];
  if (written === 'LATEST') {
    const latest = versions.at(-1);
    if (latest !== undefined) return { kind: 'resolved', requested: 'LATEST', version: latest };
    const reason = `resource '${resource}' has no completed versions in domain '${domain}'`;
    return { kind: 'refused', reason };
  }
  const version = Number(written);
  if (versions.includes(version)) return { kind: 'resolved', requested: version, version };
  const isDeclared = resources.has(resource);
  const defect = isDeclared ? 'is not a completed version' : 'does not exist';
  const reason = `resource '${resource}@${written}' ${defect} in domain '${domain}'`;
  return { kind: 'refused', reason };
}
