import { type DataType, SCALAR_TYPES, type SchemaField, type SchemaModel } from '@nervix/model';
import { NESTING_MAX } from '../expression/token-cursor.js';
import { arrayLength, nestedArray } from '../expression/type-reader.js';
import {
  Comma,
  Greater,
  keyword,
  keywords,
  LeftParen,
  Less,
  NumberToken,
  RightParen,
} from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('SCHEMA');

const SCHEMA_NAME = label('schema_name');
const FIELD_NAME = label('field_name');
const ARRAY_LENGTH = label('array_length');

/** `SCHEMA name (…)` and the type declarations in it. */
export function defineSchema(g: GrammarHost): Rule<SchemaModel> {
  const field = defineField(g, defineType(g));
  return g.rule('schema', (): SchemaModel => {
    g.take(K.SCHEMA);
    const name = g.name(SCHEMA_NAME);
    g.take(LeftParen);
    const fields = g.closedList(0, () => g.call(field));
    g.take(RightParen);
    return g.close({ kind: 'schema', name, fields }, 0);
  });
}

function defineType(g: GrammarHost): Rule<DataType> {
  let depth = 0;
  const nested = (word: 'ARRAY' | 'VEC', body: () => DataType) => ({
    ALT: () => {
      g.take(keyword(word));
      depth += 1;
      if (depth > NESTING_MAX) {
        depth = 0;
        g.refuse(`expression nesting exceeds ${NESTING_MAX} levels`);
      }
      g.take(Less);
      const type = body();
      g.take(Greater);
      depth -= 1;
      return type;
    },
  });
  const element = (): DataType => g.call(schemaType);
  const alternatives: { ALT: () => DataType }[] = [
    ...SCALAR_TYPES.map((type) => ({ ALT: () => g.takeAs(keyword(type), type) })),
    nested('ARRAY', () => {
      const inner = element();
      const lengths: number[] = [];
      g.repeatOnce(0, () => {
        g.take(Comma);
        const { image } = g.take(NumberToken, ARRAY_LENGTH);
        if (!g.isRecording) lengths.push(arrayLength(image, g.position - 1));
      });
      return nestedArray(inner, lengths);
    }),
    nested('VEC', () => Object.freeze({ kind: 'vec', element: element() })),
  ];
  const inner: Rule<DataType> = g.rule('schemaType', () => g.choose(0, alternatives));
  const schemaType = inner;
  return g.rule('fieldType', () => {
    depth = 0;
    return g.call(inner);
  });
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
