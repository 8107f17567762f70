import {
  columnTypeName,
  type DataType,
  type JsonExistsExpression,
  type JsonReadExpression,
  type TypedExpression,
} from '@nervix/model';
import type { CheckResult } from './checked.js';

/** `JSON_VALUE` and `TRY_JSON_VALUE`, which may always be null. */
export function checkJsonRead(node: JsonReadExpression, document: TypedExpression): CheckResult {
  const { function: name, path, target } = node;
  if (document.type !== 'STRING') {
    return `${name} document must be STRING, found ${columnTypeName(document.type)}`;
  }
  const foreign = foreignType(target);
  if (foreign === 'DATETIME') {
    return (
      `${name} cannot read DATETIME, which no JSON value is; ` +
      'read the text as STRING and convert it explicitly'
    );
  }
  if (foreign === 'BYTES') {
    return (
      `${name} cannot read BYTES, which no JSON value is; ` +
      'read the text as STRING and decode it explicitly'
    );
  }
  const { sensitive } = document;
  const isTry = name === 'TRY_JSON_VALUE';
  return { kind: 'json_read', isTry, document, path, type: target, optional: true, sensitive };
}

/** The scalar inside a type that JSON has no values of. */
function foreignType(type: DataType): 'DATETIME' | 'BYTES' | undefined {
  let inner = type;
  while (typeof inner !== 'string') inner = inner.element;
  return inner === 'DATETIME' || inner === 'BYTES' ? inner : undefined;
}

/** `JSON_EXISTS`, null only where its document is. */
export function checkJsonExists(
  { path }: JsonExistsExpression,
  document: TypedExpression,
): CheckResult {
  if (document.type !== 'STRING') {
    return `JSON_EXISTS document must be STRING, found ${columnTypeName(document.type)}`;
  }
  const { optional, sensitive } = document;
  return { kind: 'json_exists', document, path, type: 'BOOL', optional, sensitive };
}
