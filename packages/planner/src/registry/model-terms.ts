import { type EndpointModel, type Model, modelKey } from '@nervix/model';
import { referencesOf } from '../model-references.js';
import { bindingOf } from '../transaction-plan/resource-bindings.js';

/** Term of the placement rules. */
export const RULE_TERM = 'rule ';

/** Term of the virtual hosts that are served over TLS. */
export const SECURE_TERM = 'secure ';

/** Term of the models bound to a resource. */
export function resourceTerm(resource: string): string {
  return `resource ${resource}`;
}

/** Term of the virtual hosts with a hostname, in lower case. */
export function hostnameTerm(hostname: string): string {
  return `hostname ${hostname}`;
}

/** Term of the endpoints with a path on a virtual host. */
export function pathTerm({ vhost, path }: Pick<EndpointModel, 'vhost' | 'path'>): string {
  return `path ${vhost} ${path}`;
}

/** Term of the emitters that send through a client. */
export function senderTerm(client: string): string {
  return `sender ${client}`;
}

/** What a model is found by: the keys of the models it names, and what it claims or uses. */
export interface ModelTerms {
  readonly references: readonly string[];
  /** What else of the domain it alters by being there; models that read such a term depend on it. */
  readonly claims: readonly string[];
  /** All of them. */
  readonly all: readonly string[];
}

const NONE: ModelTerms = { references: [], claims: [], all: [] };

/** Models are never changed in place. */
const known = new WeakMap<Model, ModelTerms>();

/** The terms of a model; none for one that is absent. */
export function termsOf(model: Model | undefined): ModelTerms {
  if (model === undefined) return NONE;
  const found = known.get(model);
  if (found !== undefined) return found;
  const references = distinct(referencesOf(model).map(({ kind, name }) => modelKey(kind, name)));
  const claims = distinct(claimsOf(model));
  const terms = { references, claims, all: [...references, ...claims] };
  known.set(model, terms);
  return terms;
}

/** Finds the keys of the models that claim or use something, without an index of references. */
export function claimantsIn(models: Iterable<Model>): (term: string) => readonly string[] {
  const claimants = new Map<string, string[]>();
  for (const model of models) {
    for (const term of distinct(claimsOf(model))) {
      const keys = claimants.get(term) ?? [];
      keys.push(modelKey(model.kind, model.name));
      claimants.set(term, keys);
    }
  }
  for (const keys of claimants.values()) keys.sort();
  return (term) => claimants.get(term) ?? [];
}

function claimsOf(model: Model): readonly string[] {
  const binding = bindingOf(model);
  const bound = binding === null ? [] : [resourceTerm(binding.resource)];
  switch (model.kind) {
    case 'vhost':
      return [
        ...bound,
        ...(model.tls === null ? [] : [SECURE_TERM]),
        ...model.hostnames.map((name) => hostnameTerm(name.toLowerCase())),
      ];
    case 'endpoint':
      return [pathTerm(model)];
    case 'emitter':
      return model.sink.kind === 'consumers' ? [] : [senderTerm(model.sink.client)];
    case 'placement':
      return [RULE_TERM];
    default:
      return bound;
  }
}

function distinct(terms: readonly string[]): readonly string[] {
  return terms.length < 2 ? terms : [...new Set(terms)];
}
