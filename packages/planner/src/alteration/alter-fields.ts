import type { DataType, SchemaModel, SchemaOperation } from '@nervix/model';
import { type Altered, andThen, ClauseFault } from './clause-fault.js';
import { type NamedList, withAdded, withDropped, withReplaced } from './named-list.js';

/** What the fields of schemas and of wire schemas have both. */
interface Field<Type> {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

/** The operations on fields that both kinds of schemas have. */
export type FieldOperation<Item, Type> =
  | { readonly op: 'add_field'; readonly field: Item }
  | { readonly op: 'drop_field'; readonly field: string }
  | { readonly op: 'rename_field'; readonly field: string; readonly name: string }
  | { readonly op: 'set_field_type'; readonly field: string; readonly type: Type }
  | { readonly op: 'set_field_optional'; readonly field: string; readonly optional: boolean };

const FIELDS: NamedList<{ readonly name: string }> = {
  nameOf: ({ name }) => name,
  words: (name) => `field \`${name}\``,
  isWhole: true,
};

/** Fields after one operation. */
export function alteredFields<Type, Item extends Field<Type>>(
  fields: readonly Item[],
  operation: FieldOperation<Item, Type>,
): Altered<readonly Item[]> {
  switch (operation.op) {
    case 'add_field':
      return withAdded(fields, operation.field, FIELDS);
    case 'drop_field':
      return withDropped(fields, operation.field, FIELDS);
    case 'rename_field':
      return renamed(fields, operation.field, operation.name);
    case 'set_field_type':
      return changed(fields, operation.field, (field) => ({ ...field, type: operation.type }));
    case 'set_field_optional': {
      const { optional } = operation;
      return changed(fields, operation.field, (field) => ({ ...field, optional }));
    }
  }
}

/** A schema after one operation. */
export function alteredSchema(
  model: SchemaModel,
  operation: SchemaOperation,
): Altered<SchemaModel> {
  if (operation.op === 'set_field_sensitive') {
    const { field, sensitive } = operation;
    const fields = changed(model.fields, field, (item) => ({ ...item, sensitive }));
    return andThen(fields, (changedFields) => ({ ...model, fields: changedFields }));
  }
  const fields = alteredFields<DataType, SchemaModel['fields'][number]>(model.fields, operation);
  return andThen(fields, (changedFields) => ({ ...model, fields: changedFields }));
}

function renamed<Item extends { readonly name: string }>(
  fields: readonly Item[],
  field: string,
  name: string,
): Altered<readonly Item[]> {
  if (field !== name && fields.some((item) => item.name === name)) {
    return new ClauseFault(`field \`${name}\` already exists`, true);
  }
  return changed(fields, field, (item) => ({ ...item, name }));
}

function changed<Item extends { readonly name: string }>(
  fields: readonly Item[],
  field: string,
  change: (item: Item) => Item,
): Altered<readonly Item[]> {
  return withReplaced(fields, field, change, FIELDS);
}
