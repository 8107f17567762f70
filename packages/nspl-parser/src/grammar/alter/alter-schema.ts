import type { AlterModelStatement, SchemaField, SchemaOperation } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import { defineFieldOperations } from './field-operation.js';
import { type Alternative, defineOperation, takeClosedOperations } from './operation-list.js';

const K = keywords('SCHEMA');
const PHRASE_SET_SENSITIVE = phraseOf('SET SENSITIVE');
const PHRASE_DROP_SENSITIVE = phraseOf('DROP SENSITIVE');

const SCHEMA = label('ref:schema');

/** `SCHEMA name …`. */
export function defineAlterSchema(
  g: GrammarHost,
  literals: LiteralRules,
  field: Rule<SchemaField>,
): Rule<AlterModelStatement> {
  const setSensitive = (name: string): SchemaOperation => {
    g.phrase(PHRASE_SET_SENSITIVE);
    return { op: 'set_field_sensitive', field: name, sensitive: true };
  };
  const dropSensitive = (name: string): SchemaOperation => {
    g.phrase(PHRASE_DROP_SENSITIVE);
    return { op: 'set_field_sensitive', field: name, sensitive: false };
  };
  const rules = { kind: 'schema', field, type: literals.dataType };
  const heads: Alternative<SchemaOperation>[] = [
    ...defineFieldOperations(g, rules, [setSensitive, dropSensitive]),
  ];
  const operation = defineOperation(g, 'schemaOperation', heads);
  return g.rule('alterSchema', (): AlterModelStatement => {
    g.take(K.SCHEMA);
    const name = g.name(SCHEMA);
    const operations = takeClosedOperations(g, operation);
    return { kind: 'alter_model', modelKind: 'schema', name, operations };
  });
}
