import type { LiteralBinding } from './literal.js';

/** Which instances of a processor lose their state. */
export type ResetTarget =
  | { readonly kind: 'unbranched' }
  | { readonly kind: 'all_branches' }
  | { readonly kind: 'branch'; readonly values: readonly LiteralBinding[] };

/** `RESET WASM PROCESSOR`. */
export interface ResetWasmProcessorStatement {
  readonly kind: 'reset_wasm_processor';
  readonly name: string;
  readonly domain: string;
  readonly target: ResetTarget;
}
