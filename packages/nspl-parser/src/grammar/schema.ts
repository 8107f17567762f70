import type { DataType, SchemaField, SchemaModel } from '@nervix/model';
import { keyword, keywords, LeftParen, RightParen } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords('SCHEMA');

const SCHEMA_NAME = label('schema_name');
const FIELD_NAME = label('field_name');

export interface SchemaRules {
  /** `SCHEMA name (…)`. */
  readonly schema: Rule<SchemaModel>;
  /** `name TYPE [OPTIONAL] [SENSITIVE]`. */
  readonly field: Rule<SchemaField>;
}

/** Schemas and their fields. */
export function defineSchema(g: GrammarHost, literals: LiteralRules): SchemaRules {
  const field = defineField(g, literals.dataType);
  const schema = g.rule('schema', (): SchemaModel => {
    g.take(K.SCHEMA);
    const name = g.name(SCHEMA_NAME);
    g.take(LeftParen);
    const fields = g.closedList(0, () => g.call(field));
    g.take(RightParen);
    return g.close({ kind: 'schema', name, fields }, 0);
  });
  return { schema, field };
}

function defineField(g: GrammarHost, fieldType: Rule<DataType>): Rule<SchemaField> {
  return g.rule('schemaField', (): SchemaField => {
    const first = g.position;
    const name = g.name(FIELD_NAME);
    const type = g.call(fieldType);
    const given = { OPTIONAL: false, SENSITIVE: false };
    const modifier = (word: 'OPTIONAL' | 'SENSITIVE') => ({
      ALT: () => {
        g.take(keyword(word));
        if (given[word]) g.refuse(`schema field modifier ${word} may appear at most once`);
        if (!g.isRecording) given[word] = true;
      },
    });
    g.repeat(0, () => g.choose(0, [modifier('OPTIONAL'), modifier('SENSITIVE')]));
    const { OPTIONAL: optional, SENSITIVE: sensitive } = given;
    return g.close({ name, type, optional, sensitive }, first);
  });
}
