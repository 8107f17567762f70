import type { AvroWireType, JsonWireType, WireField, WireSchemaModel } from '@nervix/model';
import { keywords, LeftParen, RightParen } from '../tokens.js';
import { type GrammarHost, type Label, label, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords('OPTIONAL', 'WIRE', 'JSON', 'CBOR', 'AVRO', 'SCHEMA', 'MODE', 'STRICT', 'LOOSE');

const JSON_NAME = label('wire_json_schema_name');
const CBOR_NAME = label('wire_cbor_schema_name');
const AVRO_NAME = label('wire_avro_schema_name');
const FIELD_NAME = label('field_name');

type WireMode = WireSchemaModel['mode'];

/** A wire schema without its format. */
interface WireSchemaDraft<Type extends string> {
  readonly name: string;
  readonly mode: WireMode;
  readonly fields: readonly WireField<Type>[];
}

export interface WireSchemaRules {
  /** `WIRE format SCHEMA name MODE … (…)`. */
  readonly wireSchema: Rule<WireSchemaModel>;
  /** `MODE STRICT | LOOSE`. */
  readonly mode: Rule<WireMode>;
  /** Field of a JSON or CBOR wire schema. */
  readonly jsonField: Rule<WireField<JsonWireType>>;
  readonly avroField: Rule<WireField<AvroWireType>>;
}

/** Wire schemas and their fields. */
export function defineWireSchema(g: GrammarHost, literals: LiteralRules): WireSchemaRules {
  const mode = defineMode(g);
  const jsonField = defineField(g, 'jsonWireField', literals.jsonWireType);
  const avroField = defineField(g, 'avroWireField', literals.avroWireType);
  const draft = <Type extends string>(
    name: Label,
    fields: Rule<readonly WireField<Type>[]>,
  ): WireSchemaDraft<Type> => {
    g.take(K.SCHEMA);
    return { name: g.name(name), mode: g.call(mode), fields: g.call(fields) };
  };
  const jsonFields = g.rule('jsonWireFields', () => takeFields(g, jsonField));
  const avroFields = g.rule('avroWireFields', () => takeFields(g, avroField));
  const wireSchema = g.rule('wireSchema', () => {
    g.take(K.WIRE);
    return g.choose<WireSchemaModel>(0, [
      {
        ALT: () => {
          g.take(K.JSON);
          return g.close({ kind: 'wire_json_schema', ...draft(JSON_NAME, jsonFields) }, 0);
        },
      },
      {
        ALT: () => {
          g.take(K.CBOR);
          return g.close({ kind: 'wire_cbor_schema', ...draft(CBOR_NAME, jsonFields) }, 0);
        },
      },
      {
        ALT: () => {
          g.take(K.AVRO);
          return g.close({ kind: 'wire_avro_schema', ...draft(AVRO_NAME, avroFields) }, 0);
        },
      },
    ]);
  });
  return { wireSchema, mode, jsonField, avroField };
}

function defineMode(g: GrammarHost): Rule<WireMode> {
  return g.rule('wireMode', () => {
    g.take(K.MODE);
    return g.choose<WireMode>(0, [
      { ALT: () => g.takeAs(K.STRICT, 'STRICT') },
      { ALT: () => g.takeAs(K.LOOSE, 'LOOSE') },
    ]);
  });
}

function defineField<Type extends string>(
  g: GrammarHost,
  ruleName: string,
  wireType: Rule<Type>,
): Rule<WireField<Type>> {
  return g.rule(ruleName, (): WireField<Type> => {
    const first = g.position;
    const name = g.name(FIELD_NAME);
    const type = g.call(wireType);
    const optional = g.maybe(0, () => g.takeAs(K.OPTIONAL, true)) === true;
    return g.close({ name, type, optional }, first);
  });
}

function takeFields<T>(g: GrammarHost, field: Rule<T>): readonly T[] {
  g.take(LeftParen);
  const fields = g.closedList(0, () => g.call(field));
  g.take(RightParen);
  return fields;
}
