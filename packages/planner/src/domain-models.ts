import { MODEL_KINDS, type Model, type ModelKind, modelKey } from '@nervix/model';

/** A domain's models by `modelKey(kind, name)`. Never changed in place. */
export type DomainModels = ReadonlyMap<string, Model>;

/**
 * Collects models into a map; of two with one key the later stays.
 *
 * @param models in any order
 */
export function domainModels(models: Iterable<Model>): DomainModels {
  return new Map([...models].map((model) => [modelKey(model.kind, model.name), model]));
}

const KIND_ORDER: ReadonlyMap<ModelKind, number> = new Map(
  MODEL_KINDS.map((kind, index) => [kind, index]),
);

/** The models in dependency order of kinds and, inside a kind, in name order. */
export function sortedModels(models: DomainModels): readonly Model[] {
  return [...models.values()].sort(compareModels);
}

/** Order of {@link sortedModels}. */
export function compareModels(
  left: { readonly kind: ModelKind; readonly name: string },
  right: { readonly kind: ModelKind; readonly name: string },
): number {
  const byKind = (KIND_ORDER.get(left.kind) ?? 0) - (KIND_ORDER.get(right.kind) ?? 0);
  return byKind === 0 ? compareNames(left.name, right.name) : byKind;
}

/** Code-unit order, the same everywhere. */
export function compareNames(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Models of one kind, in name order. */
export function modelsOfKind<Kind extends ModelKind>(
  models: DomainModels,
  kind: Kind,
): readonly Extract<Model, { kind: Kind }>[] {
  return [...models.values()]
    .filter((model): model is Extract<Model, { kind: Kind }> => model.kind === kind)
    .sort((left, right) => compareNames(left.name, right.name));
}

/** The model of that kind and name, if the domain has it. */
export function findModel<Kind extends ModelKind>(
  models: DomainModels,
  kind: Kind,
  name: string,
): Extract<Model, { kind: Kind }> | undefined {
  const model = models.get(modelKey(kind, name));
  return model?.kind === kind ? (model as Extract<Model, { kind: Kind }>) : undefined;
}
