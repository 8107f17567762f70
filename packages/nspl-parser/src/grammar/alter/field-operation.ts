import { keywords } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { Alternative } from './operation-list.js';

const K = keywords('TO');
const PHRASE_ADD_FIELD = phraseOf('ADD FIELD');
const PHRASE_DROP_FIELD = phraseOf('DROP FIELD');
const PHRASE_RENAME_FIELD = phraseOf('RENAME FIELD');
const PHRASE_ALTER_FIELD = phraseOf('ALTER FIELD');
const PHRASE_SET_TYPE = phraseOf('SET TYPE');
const PHRASE_SET_OPTIONAL = phraseOf('SET OPTIONAL');
const PHRASE_DROP_OPTIONAL = phraseOf('DROP OPTIONAL');

const FIELD = label('ref:schema_field');
const FIELD_NAME = label('field_name');

/** What ALTER does to a field of a schema, be it one of records or one of payloads. */
export type FieldOperation<Field, Type> =
  | { readonly op: 'add_field'; readonly field: Field }
  | { readonly op: 'drop_field'; readonly field: string }
  | { readonly op: 'rename_field'; readonly field: string; readonly name: string }
  | { readonly op: 'set_field_type'; readonly field: string; readonly type: Type }
  | { readonly op: 'set_field_optional'; readonly field: string; readonly optional: boolean };

/** How fields and their types are written. */
export interface FieldRules<Field, Type> {
  /** Name that tells the rules of one kind of schema from those of another. */
  readonly kind: string;
  readonly field: Rule<Field>;
  readonly type: Rule<Type>;
}

/**
 * Operations on fields.
 *
 * @param changes further ways to change one field, behind `ALTER FIELD name`
 */
export function defineFieldOperations<Field, Type, Change = never>(
  g: GrammarHost,
  { kind, field, type }: FieldRules<Field, Type>,
  changes: readonly ((field: string) => Change)[] = [],
): readonly Alternative<FieldOperation<Field, Type> | Change>[] {
  type Operation = FieldOperation<Field, Type> | Change;
  const change = g.rule(`${kind}FieldChange`, () => {
    g.phrase(PHRASE_ALTER_FIELD);
    const name = g.name(FIELD);
    return g.choose<Operation>(0, [
      {
        ALT: () => {
          g.phrase(PHRASE_SET_TYPE);
          return { op: 'set_field_type', field: name, type: g.call(type) };
        },
      },
      {
        ALT: () => {
          g.phrase(PHRASE_SET_OPTIONAL);
          return { op: 'set_field_optional', field: name, optional: true };
        },
      },
      {
        ALT: () => {
          g.phrase(PHRASE_DROP_OPTIONAL);
          return { op: 'set_field_optional', field: name, optional: false };
        },
      },
      ...changes.map((take) => ({ ALT: () => take(name) })),
    ]);
  });
  return [
    {
      ALT: () => {
        g.phrase(PHRASE_ADD_FIELD);
        return { op: 'add_field', field: g.call(field) };
      },
    },
    {
      ALT: () => {
        g.phrase(PHRASE_DROP_FIELD);
        return { op: 'drop_field', field: g.name(FIELD) };
      },
    },
    {
      ALT: () => {
        g.phrase(PHRASE_RENAME_FIELD);
        const from = g.name(FIELD);
        g.take(K.TO);
        return { op: 'rename_field', field: from, name: g.name(FIELD_NAME) };
      },
    },
    { ALT: () => g.call(change) },
  ];
}
