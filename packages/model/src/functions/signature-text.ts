import { printDataType } from '../data-type.js';
import type {
  BuiltinFunction,
  FunctionSignature,
  Parameter,
  ResultType,
} from './function-signature.js';
import type { TypeClass } from './type-class.js';

const CLASSES: Readonly<Record<TypeClass, string>> = {
  any: 'any type',
  scalar: 'scalar',
  comparable: 'number, BOOL, STRING or DATETIME',
  orderable: 'number, STRING or DATETIME',
  numeric: 'number',
  signed: 'signed number',
  integer: 'integer',
  float: 'F32 or F64',
  boolean: 'BOOL',
};

/**
 * The ways to call a function, as editors and the reference show them:
 * `substr(text STRING, start integer[, length integer]) -> STRING`.
 */
export function printSignatures(definition: BuiltinFunction): readonly string[] {
  return definition.signatures.map((signature) => printSignature(definition.name, signature));
}

function printSignature(name: string, signature: FunctionSignature): string {
  const { parameters, optionalParameters, rest, result, nullability } = signature;
  const named = parameters.map(printParameter).join(', ');
  const left = optionalParameters.map((parameter) => `[, ${printParameter(parameter)}`).join('');
  const more = rest === null ? '' : ', …';
  const closing = ']'.repeat(optionalParameters.length);
  const head = `${name}(${named}${left}${closing}${more})`;
  if (result.kind === 'none') return head;
  const nullable = nullability === 'always' ? ' OPTIONAL' : '';
  return `${head} -> ${printResult(result)}${nullable}${classOfShared(signature)}`;
}

function printParameter({ name, type, constant }: Parameter): string {
  const literal = constant === null || constant === 'network' ? '' : ' literal';
  switch (type.kind) {
    case 'exact':
      return `${name} ${type.type}${literal}`;
    case 'class':
      return `${name} ${CLASSES[type.class]}${literal}`;
    case 'same':
      return `${name} T`;
    case 'list':
      return `${name} list of T`;
    case 'texts':
      return `${name} list of STRING`;
  }
}

function printResult(result: Exclude<ResultType, { kind: 'none' }>): string {
  switch (result.kind) {
    case 'exact':
      return printDataType(result.type);
    case 'same':
      return 'T';
    case 'vec':
      return 'VEC<T>';
    case 'array':
      return 'ARRAY<T, n>';
    case 'joined':
      return 'ARRAY<T, n> or VEC<T>';
    case 'field':
      return "the field's type";
  }
}

function classOfShared({ parameters }: FunctionSignature): string {
  for (const { type } of parameters) {
    if (type.kind === 'same' || type.kind === 'list') return `, T ${CLASSES[type.class]}`;
  }
  return '';
}
