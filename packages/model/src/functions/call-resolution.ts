import { type DataType, equalTypes, isScalarType } from '../data-type.js';
import type {
  BuiltinFunction,
  FunctionSignature,
  Parameter,
  ParameterType,
  ResultNullability,
} from './function-signature.js';
import { isOfClass, TYPE_CLASS_WORDS } from './type-class.js';

/** The two facts of an argument that decide the type of a call. */
export interface ArgumentType {
  readonly type: DataType;
  /** Whether it may be null. */
  readonly optional: boolean;
}

/** What a call means, or why it means nothing. */
export type CallResolution =
  | {
      readonly kind: 'ok';
      readonly signature: FunctionSignature;
      /** One for each argument. */
      readonly parameters: readonly Parameter[];
      /** null where the hash map's field decides, or the call has no value. */
      readonly type: DataType | null;
      readonly optional: boolean;
    }
  /** No signature takes so many arguments; `expected` is their number if there is only one. */
  | { readonly kind: 'arity'; readonly expected: number | null }
  /** An argument is of no type that its parameter takes. */
  | {
      readonly kind: 'mismatch';
      readonly argument: number;
      readonly parameter: Parameter;
      readonly found: DataType;
    }
  /** Arguments that share one type do not. */
  | { readonly kind: 'unequal'; readonly first: DataType; readonly found: DataType };

/** Chooses the signature that a call uses and types its result. */
export function resolveCall(
  { signatures }: Pick<BuiltinFunction, 'signatures'>,
  args: readonly ArgumentType[],
): CallResolution {
  const fitting = signatures.filter((signature) => takesCount(signature, args.length));
  const [only] = fitting;
  if (only === undefined) return { kind: 'arity', expected: soleArity(signatures) };
  const signature = fitting.find((each) => takesFirst(each, args)) ?? only;
  return resolveSignature(signature, args);
}

function takesCount(signature: FunctionSignature, found: number): boolean {
  const { parameters, optionalParameters, rest } = signature;
  if (found < parameters.length) return false;
  return rest !== null || found <= parameters.length + optionalParameters.length;
}

function soleArity(signatures: readonly FunctionSignature[]): number | null {
  const [signature, ...others] = signatures;
  if (signature === undefined || others.length > 0 || signature.rest !== null) return null;
  return signature.optionalParameters.length > 0 ? null : signature.parameters.length;
}

/** Overloads of one arity differ in whether they take a list. */
function takesFirst({ parameters }: FunctionSignature, args: readonly ArgumentType[]): boolean {
  const [parameter] = parameters;
  const [argument] = args;
  if (parameter === undefined || argument === undefined) return true;
  const isList = parameter.type.kind === 'list' || parameter.type.kind === 'texts';
  return isList !== isScalarType(argument.type);
}

/** Parameter of each argument. */
export function parametersOf(signature: FunctionSignature, count: number): readonly Parameter[] {
  const { parameters, optionalParameters, rest } = signature;
  const named = [...parameters, ...optionalParameters].slice(0, count);
  return rest === null ? named : [...named, ...Array(count - named.length).fill(rest)];
}

function resolveSignature(
  signature: FunctionSignature,
  args: readonly ArgumentType[],
): CallResolution {
  const parameters = parametersOf(signature, args.length);
  let shared: DataType | null = null;
  for (const [index, parameter] of parameters.entries()) {
    const found = args[index]?.type;
    if (found === undefined) continue;
    const bound = sharedPart(parameter.type, found);
    if (bound === undefined) return { kind: 'mismatch', argument: index, parameter, found };
    if (bound === null) continue;
    if (shared !== null && !equalTypes(shared, bound)) {
      return { kind: 'unequal', first: args[0]?.type ?? shared, found };
    }
    shared = bound;
  }
  const type = resultType(signature, shared, args);
  const optional = resultOptional(signature.nullability, args);
  return { kind: 'ok', signature, parameters, type, optional };
}

/** What an argument says about `T`: a type, null for nothing, undefined when it does not fit. */
function sharedPart(parameter: ParameterType, found: DataType): DataType | null | undefined {
  switch (parameter.kind) {
    case 'exact':
      return found === parameter.type ? null : undefined;
    case 'class':
      return isOfClass(found, parameter.class) ? null : undefined;
    case 'same':
      return isOfClass(found, parameter.class) ? found : undefined;
    case 'list':
      if (isScalarType(found) || !isOfClass(found.element, parameter.class)) return undefined;
      return found.element;
    case 'texts':
      return !isScalarType(found) && found.element === 'STRING' ? null : undefined;
  }
}

function resultType(
  { result }: FunctionSignature,
  shared: DataType | null,
  args: readonly ArgumentType[],
): DataType | null {
  switch (result.kind) {
    case 'exact':
      return result.type;
    case 'same':
      return shared;
    case 'vec':
      return shared === null ? null : { kind: 'vec', element: shared };
    case 'array':
      return shared === null ? null : { kind: 'array', element: shared, length: args.length };
    case 'joined':
      return shared === null ? null : joinedType(shared, args);
    case 'field':
    case 'none':
      return null;
  }
}

function joinedType(element: DataType, args: readonly ArgumentType[]): DataType {
  let length = 0;
  for (const { type } of args) {
    if (isScalarType(type) || type.kind === 'vec') return { kind: 'vec', element };
    length += type.length;
  }
  return { kind: 'array', element, length };
}

function resultOptional(nullability: ResultNullability, args: readonly ArgumentType[]): boolean {
  switch (nullability) {
    case 'strict':
      return args.some(({ optional }) => optional);
    case 'never':
      return false;
    case 'always':
      return true;
    case 'all_arguments':
      return args.every(({ optional }) => optional);
  }
}

/** What a parameter takes, in the words of messages: `Utf8`, `numeric`, `List(Utf8)`. */
export function parameterWords(
  { type }: Parameter,
  columnName: (type: DataType) => string,
): string {
  switch (type.kind) {
    case 'exact':
      return columnName(type.type);
    case 'class':
    case 'same':
      return TYPE_CLASS_WORDS[type.class];
    case 'list':
      return type.class === 'any' ? 'list' : `list of ${TYPE_CLASS_WORDS[type.class]}`;
    case 'texts':
      return columnName({ kind: 'vec', element: 'STRING' });
  }
}
