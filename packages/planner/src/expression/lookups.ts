import {
  canonicalName,
  columnTypeName,
  containsBytes,
  type FunctionCall,
  isScalarType,
  nameDefect,
  type TypedExpression,
  typedNodes,
} from '@nervix/model';
import { anySensitive, type CheckResult } from './checked.js';
import type { ExpressionScope } from './scope.js';

const NAME = 'LOOKUP_HASH_MAP';

/** `LOOKUP_HASH_MAP('map', key, 'field')`: a field of the map's entry for a key, null without one. */
export function checkLookup(
  node: FunctionCall,
  values: readonly TypedExpression[],
  { surroundings }: ExpressionScope,
): CheckResult {
  const [map, key, field] = values;
  if (map === undefined || key === undefined || field === undefined || values.length !== 3) {
    return `${NAME} expects 3 arguments, found ${node.arguments.length}`;
  }
  const mapName = literalName(map);
  if (mapName === undefined) return `${NAME} argument 1 must be a string literal`;
  const fieldName = literalName(field);
  if (fieldName === undefined) return `${NAME} argument 3 must be a string literal`;
  const defect = nameDefect(mapName);
  if (defect !== undefined) return `${NAME} hash map name '${mapName}' is invalid: ${defect}`;
  for (const inner of typedNodes(key)) {
    if (inner.kind === 'lookup') return `${NAME} key expression cannot contain another ${NAME}`;
  }
  if (!isScalarType(key.type) || containsBytes(key.type)) {
    return `${NAME} key requires a scalar other than Binary, found ${columnTypeName(key.type)}`;
  }
  const fields = surroundings.hashMap(mapName);
  if (fields === undefined) return `${NAME} hash map '${mapName}' does not exist`;
  const declared = fields.get(fieldName);
  if (declared === undefined) {
    return `${NAME} field '${fieldName}' is missing from hash map '${mapName}' schema`;
  }
  return {
    kind: 'lookup',
    map: mapName,
    key,
    field: fieldName,
    type: declared.type,
    optional: true,
    sensitive: declared.sensitive || anySensitive(values),
  };
}

function literalName(value: TypedExpression): string | undefined {
  return value.kind === 'literal' && typeof value.value === 'string' && value.type === 'STRING'
    ? canonicalName(value.value)
    : undefined;
}
