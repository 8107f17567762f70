import type { GeneralErrorPolicy, UnflushedRoute } from '../route.js';
import type { ProcessorClauses } from './processor.js';
import type { ResourceBinding } from './resource-binding.js';

export interface WasmProcessorModel extends ProcessorClauses {
  readonly kind: 'wasm_processor';
  readonly resource: ResourceBinding;
  readonly file: string;
  /** Decimal text above zero. */
  readonly maxFuel: string;
  /** Decimal byte count above zero. */
  readonly maxMemory: string;
  readonly routes: readonly UnflushedRoute[];
  /** What becomes of a guest's state that its new version does not accept. */
  readonly onRejectedState: 'PRESERVE' | 'RESET';
  readonly globalError: GeneralErrorPolicy;
}
