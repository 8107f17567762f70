import type { Expression } from '../expression.js';
import type { FlushedRoute } from '../route.js';
import type { ProcessorClauses } from './processor.js';
import type { ResourceBinding } from './resource-binding.js';

/** A fixed size in decimal text, or a size known only at run time. */
export type TensorDimension =
  | { readonly kind: 'batch' }
  | { readonly kind: 'dynamic' }
  | { readonly kind: 'fixed'; readonly size: string };

/** Element type and shape of a tensor. */
export interface TensorType {
  readonly element: 'F32';
  readonly dimensions: readonly TensorDimension[];
}
/** An input of a machine-learning model and its value. */
export interface InputTensor {
  readonly name: string;
  readonly type: TensorType;
  readonly value: Expression;
}
/** An output of a machine-learning model. */
export interface OutputTensor {
  readonly name: string;
  readonly type: TensorType;
}

export interface InferencerModel extends ProcessorClauses {
  readonly kind: 'inferencer';
  readonly resource: ResourceBinding;
  readonly file: string;
  readonly inputTensors: readonly InputTensor[];
  readonly outputSchema: readonly OutputTensor[];
  readonly routes: readonly FlushedRoute[];
}
