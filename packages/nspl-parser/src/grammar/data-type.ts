import { type DataType, SCALAR_TYPES } from '@nervix/model';
import { arrayLength, nestedArray } from '../expression/type-reader.js';
import { Comma, Greater, keyword, Less, NumberToken } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const ARRAY_LENGTH = label('array_length');

/** A type as schemas declare them, without the aliases that expressions know. */
export function defineDataType(g: GrammarHost): Rule<DataType> {
  const nested = (word: 'ARRAY' | 'VEC', body: () => DataType) => ({
    ALT: () => {
      g.take(keyword(word));
      g.descend();
      g.take(Less);
      const type = body();
      g.take(Greater);
      g.ascend();
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
  const schemaType: Rule<DataType> = g.rule('schemaType', () => g.choose(0, alternatives));
  return schemaType;
}
