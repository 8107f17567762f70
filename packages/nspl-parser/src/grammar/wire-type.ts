import {
  AVRO_WIRE_TYPES,
  type AvroWireType,
  JSON_WIRE_TYPES,
  type JsonWireType,
} from '@nervix/model';
import { keyword } from '../tokens.js';
import type { GrammarHost, Rule } from './grammar-host.js';

export interface WireTypeRules {
  /** Field type of a JSON or CBOR wire schema. */
  readonly jsonWireType: Rule<JsonWireType>;
  readonly avroWireType: Rule<AvroWireType>;
}

/** Field types of wire schemas. */
export function defineWireTypes(g: GrammarHost): WireTypeRules {
  const oneOf = <Type extends string>(name: string, types: readonly Type[]): Rule<Type> => {
    const alternatives = types.map((type) => ({ ALT: () => g.takeAs(keyword(type), type) }));
    return g.rule(name, () => g.choose<Type>(0, alternatives));
  };
  return {
    jsonWireType: oneOf('jsonWireType', JSON_WIRE_TYPES),
    avroWireType: oneOf('avroWireType', AVRO_WIRE_TYPES),
  };
}
