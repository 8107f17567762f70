import type {
  AlterModelStatement,
  AvroWireType,
  JsonWireType,
  WireField,
  WireSchemaOperation,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, type Label, label, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import type { WireSchemaRules } from '../wire-schema.js';
import { defineFieldOperations, type FieldRules } from './field-operation.js';
import { type Alternative, takeClosedOperations } from './operation-list.js';

const K = keywords('WIRE', 'JSON', 'CBOR', 'AVRO', 'SCHEMA');

const JSON_SCHEMA = label('ref:wire_json_schema');
const CBOR_SCHEMA = label('ref:wire_cbor_schema');
const AVRO_SCHEMA = label('ref:wire_avro_schema');

interface Change<Type extends string> {
  readonly name: string;
  readonly operations: readonly WireSchemaOperation<Type>[];
}

/** `WIRE format SCHEMA name …`. */
export function defineAlterWireSchema(
  g: GrammarHost,
  literals: LiteralRules,
  { mode, jsonField, avroField }: WireSchemaRules,
): Rule<AlterModelStatement> {
  const operationOf = <Type extends string>(
    rules: FieldRules<WireField<Type>, Type>,
  ): Rule<WireSchemaOperation<Type>> => {
    const heads: Alternative<WireSchemaOperation<Type>>[] = [
      { ALT: () => ({ op: 'set_mode', mode: g.call(mode) }) },
      ...defineFieldOperations(g, rules),
    ];
    return g.rule(`${rules.kind}Operation`, () => {
      const first = g.position;
      return g.close(g.choose(0, heads), first);
    });
  };
  const json = operationOf<JsonWireType>({
    kind: 'jsonWire',
    field: jsonField,
    type: literals.jsonWireType,
  });
  const avro = operationOf<AvroWireType>({
    kind: 'avroWire',
    field: avroField,
    type: literals.avroWireType,
  });
  const jsonChange = g.rule('jsonWireChange', () => takeClosedOperations(g, json));
  const avroChange = g.rule('avroWireChange', () => takeClosedOperations(g, avro));
  const takeChange = <Type extends string>(
    option: Label,
    operations: Rule<readonly WireSchemaOperation<Type>[]>,
  ): Change<Type> => {
    g.take(K.SCHEMA);
    return { name: g.name(option), operations: g.call(operations) };
  };
  return g.rule('alterWireSchema', () => {
    g.take(K.WIRE);
    return g.choose<AlterModelStatement>(0, [
      {
        ALT: () => {
          g.take(K.JSON);
          const change = takeChange(JSON_SCHEMA, jsonChange);
          return { kind: 'alter_model', modelKind: 'wire_json_schema', ...change };
        },
      },
      {
        ALT: () => {
          g.take(K.CBOR);
          const change = takeChange(CBOR_SCHEMA, jsonChange);
          return { kind: 'alter_model', modelKind: 'wire_cbor_schema', ...change };
        },
      },
      {
        ALT: () => {
          g.take(K.AVRO);
          const change = takeChange(AVRO_SCHEMA, avroChange);
          return { kind: 'alter_model', modelKind: 'wire_avro_schema', ...change };
        },
      },
    ]);
  });
}
