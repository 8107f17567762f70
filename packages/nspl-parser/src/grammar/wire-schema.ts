import {
  JSON_WIRE_TYPES,
  type JsonWireField,
  type JsonWireSchemaModel,
  type JsonWireType,
} from '@nervix/model';
import { keyword, keywords, LeftParen, RightParen } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('OPTIONAL', 'WIRE', 'JSON', 'SCHEMA', 'MODE', 'STRICT', 'LOOSE');

const NAME = label('wire_json_schema_name');
const FIELD_NAME = label('field_name');

/** `WIRE JSON SCHEMA name MODE … (…)`. */
export function defineWireSchema(g: GrammarHost): Rule<JsonWireSchemaModel> {
  const types: { ALT: () => JsonWireType }[] = JSON_WIRE_TYPES.map((type) => ({
    ALT: () => g.takeAs(keyword(type), type),
  }));
  const field = g.rule('wireField', (): JsonWireField => {
    const first = g.position;
    const name = g.name(FIELD_NAME);
    const type = g.choose(0, types);
    const optional = g.maybe(0, () => g.takeAs(K.OPTIONAL, true)) === true;
    return g.close({ name, type, optional }, first);
  });
  return g.rule('wireSchema', (): JsonWireSchemaModel => {
    g.take(K.WIRE);
    g.take(K.JSON);
    g.take(K.SCHEMA);
    const name = g.name(NAME);
    g.take(K.MODE);
    const mode = g.choose<JsonWireSchemaModel['mode']>(0, [
      { ALT: () => g.takeAs(K.STRICT, 'STRICT') },
      { ALT: () => g.takeAs(K.LOOSE, 'LOOSE') },
    ]);
    g.take(LeftParen);
    const fields = g.closedList(0, () => g.call(field));
    g.take(RightParen);
    return g.close({ kind: 'wire_json_schema', name, mode, fields }, 0);
  });
}
