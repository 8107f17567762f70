import type { DataType, ScalarType } from '../data-type.js';
import type {
  BuiltinFunction,
  ConstantRule,
  FunctionFamily,
  FunctionSignature,
  Parameter,
  ParameterType,
  ResultType,
} from './function-signature.js';
import type { TypeClass } from './type-class.js';

function parameter(
  name: string,
  type: ParameterType,
  constant: ConstantRule | null = null,
): Parameter {
  return { name, type, constant };
}

/** A parameter of exactly one type. */
export const exact = (name: string, type: ScalarType): Parameter =>
  parameter(name, { kind: 'exact', type });

/** A STRING. */
export const text = (name: string): Parameter => exact(name, 'STRING');

/** A count or position: any integer type. */
export const count = (name: string): Parameter =>
  parameter(name, { kind: 'class', class: 'integer' });

/** Any type of a class, unlike the other arguments perhaps. */
export const ofClass = (name: string, typeClass: TypeClass): Parameter =>
  parameter(name, { kind: 'class', class: typeClass });

/** The common type `T` of the call. */
export const same = (name: string, typeClass: TypeClass): Parameter =>
  parameter(name, { kind: 'same', class: typeClass });

/** A list of `T`. */
export const listOf = (name: string, typeClass: TypeClass): Parameter =>
  parameter(name, { kind: 'list', class: typeClass });

/** A list of STRING. */
export const texts = (name: string): Parameter => parameter(name, { kind: 'texts' });

/** A text that is read when the statement is applied. */
export const word = (name: string, rule: ConstantRule): Parameter =>
  parameter(name, { kind: 'exact', type: 'STRING' }, rule);

/** A number that is read when the statement is applied. */
export const number = (name: string, rule: ConstantRule): Parameter =>
  parameter(name, { kind: 'class', class: 'numeric' }, rule);

/** A result whose type follows from the arguments. */
type DerivedResult = Exclude<ResultType, { kind: 'exact' }>;

export const T: DerivedResult = { kind: 'same' };
export const VEC_OF_T: DerivedResult = { kind: 'vec' };

/** Parts of a signature that most have alike. */
export type SignatureChange = Partial<
  Pick<FunctionSignature, 'overload' | 'optionalParameters' | 'rest' | 'nullability' | 'failures'>
>;

/** A signature under construction: the overload's name comes with the function. */
export type SignatureDraft = Omit<FunctionSignature, 'overload'> & { readonly overload?: string };

/** A strict signature without failures, except what is given. */
export function signature(
  parameters: readonly Parameter[],
  result: DataType | DerivedResult,
  change: SignatureChange = {},
): SignatureDraft {
  return {
    parameters,
    optionalParameters: [],
    rest: null,
    result: isDerived(result) ? result : { kind: 'exact', type: result },
    nullability: 'strict',
    failures: [],
    ...change,
  };
}

function isDerived(result: DataType | DerivedResult): result is DerivedResult {
  return typeof result !== 'string' && !('element' in result);
}

/** Properties of a function that most have alike. */
export type FunctionChange = Partial<
  Pick<BuiltinFunction, 'aliases' | 'stability' | 'place' | 'isTransparent'>
>;

/** Defines functions of one family; a single signature is named like its function. */
export function familyOf(family: FunctionFamily, shared: FunctionChange = {}) {
  return (
    name: string,
    summary: string,
    drafts: SignatureDraft | readonly SignatureDraft[],
    change: FunctionChange = {},
  ): BuiltinFunction => ({
    name,
    aliases: [],
    family,
    summary,
    signatures: ('parameters' in drafts ? [drafts] : drafts).map((draft) => ({
      ...draft,
      overload: draft.overload ?? name,
    })),
    stability: 'immutable',
    place: 'anywhere',
    isTransparent: false,
    ...shared,
    ...change,
  });
}
