import { type AvroCodecPlan, assert, type SchemaPlan } from '@nervix/model';

/** Positions of a schema's fields in the order in which the wire schema declares them. */
export function wireOrder(codec: AvroCodecPlan, schema: SchemaPlan): number[] {
  const indexByName = new Map(schema.fields.map((field, index) => [field.name, index]));
  assert(
    codec.fieldOrder.length === schema.fields.length,
    'an Avro codec orders every field of its schema once',
  );
  return codec.fieldOrder.map((name) => {
    const index = indexByName.get(name);
    assert(index !== undefined, 'an Avro codec orders only fields of its schema');
    indexByName.delete(name);
    return index;
  });
}
