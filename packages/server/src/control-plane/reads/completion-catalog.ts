import type { Model, ModelKind, Statement } from '@nervix/model';
import { type Catalog, referencedKinds, scriptCatalog } from '@nervix/nspl-parser';
import { bindingOf } from '@nervix/planner';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import { plannedResources } from '../../resources/resource-catalog.js';

/** Whose names a completion may offer. */
export interface CatalogScope {
  /** Selected domain, or null. */
  readonly domain: string | null;
  /** Statements of the attached transaction, in written order. */
  readonly queued: readonly Statement[];
  /** The resource that the models to rebind must be bound to, or null. */
  readonly rebound: string | null;
}

/**
 * Names of a domain as the statements of a transaction will leave them: what is committed, then each
 * queued creation and drop in order, whether or not the graph between them is whole.
 */
export function completionCatalog(state: ReplicatedState, scope: CatalogScope): Catalog {
  const { domain, queued, rebound } = scope;
  const committed = domain === null ? NO_MODELS : state.models(domain).list;
  const statements = (): readonly Statement[] => [...committed.map(creation), ...queued];
  const definitions =
    queued.length === 0 ? committedCatalog(committed) : scriptCatalog(statements());
  const resources = domain === null ? [] : plannedResources(state, domain);
  const bound = rebound === null ? undefined : boundModels(statements(), rebound);
  return {
    ...pick(definitions),
    names: (reference) => {
      switch (reference) {
        case 'domain':
          return state.domains().map(({ name }) => name);
        case 'resource':
          return sorted([
            ...resources.map(({ name }) => name),
            ...(definitions.names?.(reference) ?? []),
          ]);
        case 'secret':
          return domain === null ? [] : sorted(state.secrets.of(domain).map(({ name }) => name));
        case 'transaction':
          return [];
        default: {
          const names = definitions.names?.(reference) ?? [];
          return bound === undefined ? names : names.filter((name) => bound(reference, name));
        }
      }
    },
    completedVersions: (resource) =>
      (resources.find(({ name }) => name === resource)?.versions ?? []).map(String),
  };
}

const NO_MODELS: readonly Model[] = [];

/** Catalogs of what is committed: the same list is asked about with every key stroke. */
const catalogs = new WeakMap<readonly Model[], Catalog>();

/** @param models a list that is never changed */
function committedCatalog(models: readonly Model[]): Catalog {
  const known = catalogs.get(models);
  if (known !== undefined) return known;
  const catalog = scriptCatalog(models.map(creation));
  catalogs.set(models, catalog);
  return catalog;
}

function pick(definitions: Catalog): Pick<Catalog, 'fields' | 'hasHeaders'> {
  return {
    fields: (kind, name) => definitions.fields?.(kind, name) ?? [],
    hasHeaders: (ingestor) => definitions.hasHeaders?.(ingestor) ?? false,
  };
}

function creation(model: Model): Statement {
  return { kind: 'create_model', ifNotExists: false, model };
}

/** Which models are bound to a resource once the statements have run. */
function boundModels(
  statements: readonly Statement[],
  resource: string,
): (reference: string, name: string) => boolean {
  const bound = new Set<string>();
  const key = (kind: string, name: string): string => `${kind}/${name}`;
  for (const statement of statements) {
    if (statement.kind === 'create_model') {
      const { model } = statement;
      if (bindingOf(model)?.resource === resource) bound.add(key(model.kind, model.name));
    } else if (statement.kind === 'drop_model') {
      bound.delete(key(statement.modelKind, statement.name));
    }
  }
  return (reference, name) =>
    referencedKinds(reference).some((kind) => bound.has(key(kind as ModelKind, name)));
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
