import type { CodecModel, EncodingRule } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('AS', 'RFC3339', 'ENCODE', 'CODEC', 'FROM', 'WIRE', 'JSON', 'SCHEMA', 'TO');

const NAME = label('codec_name');
const WIRE_SCHEMA = label('ref:wire_json_schema');
const SCHEMA = label('ref:schema');
const FIELD_NAME = label('field_name');

/** `CODEC name FROM WIRE JSON SCHEMA … TO SCHEMA …`. */
export function defineCodec(g: GrammarHost): Rule<CodecModel> {
  const encodingRule = g.rule('encodingRule', (): EncodingRule => {
    const first = g.position;
    const field = g.name(FIELD_NAME);
    g.take(K.AS);
    g.take(K.RFC3339);
    return g.close({ field, as: 'RFC3339' }, first);
  });
  const encode = g.rule('encode', () => {
    g.take(K.ENCODE);
    return g.closedList(0, () => g.call(encodingRule));
  });
  return g.rule('codec', (): CodecModel => {
    g.take(K.CODEC);
    const name = g.name(NAME);
    g.take(K.FROM);
    g.take(K.WIRE);
    g.take(K.JSON);
    g.take(K.SCHEMA);
    const wireSchema = g.name(WIRE_SCHEMA);
    g.take(K.TO);
    g.take(K.SCHEMA);
    const schema = g.name(SCHEMA);
    const rules = g.maybe(0, () => g.call(encode)) ?? Object.freeze([]);
    const source = Object.freeze({ kind: 'wire' as const, format: 'JSON' as const, wireSchema });
    return g.close({ kind: 'codec', name, source, schema, encode: rules }, 0);
  });
}
