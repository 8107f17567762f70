import type { CodecModel, EncodingRule } from '@nervix/model';
import { keyword } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const NAME = label('codec_name');
const WIRE_SCHEMA = label('ref:wire_json_schema');
const SCHEMA = label('ref:schema');
const FIELD_NAME = label('field_name');

/** `CODEC name FROM WIRE JSON SCHEMA … TO SCHEMA …`. */
export function defineCodec(g: GrammarHost): Rule<CodecModel> {
  const encodingRule = g.rule('encodingRule', (): EncodingRule => {
    const first = g.position;
    const field = g.name(FIELD_NAME);
    g.take(keyword('AS'));
    g.take(keyword('RFC3339'));
    return g.close({ field, as: 'RFC3339' }, first);
  });
  const encode = g.rule('encode', () => {
    g.take(keyword('ENCODE'));
    return g.closedList(0, () => g.call(encodingRule));
  });
  return g.rule('codec', (): CodecModel => {
    g.take(keyword('CODEC'));
    const name = g.name(NAME);
    g.take(keyword('FROM'));
    g.take(keyword('WIRE'));
    g.take(keyword('JSON'));
    g.take(keyword('SCHEMA'));
    const wireSchema = g.name(WIRE_SCHEMA);
    g.take(keyword('TO'));
    g.take(keyword('SCHEMA'));
    const schema = g.name(SCHEMA);
    const rules = g.maybe(0, () => g.call(encode)) ?? Object.freeze([]);
    const source = Object.freeze({ kind: 'wire' as const, format: 'JSON' as const, wireSchema });
    return g.close({ kind: 'codec', name, source, schema, encode: rules }, 0);
  });
}
