/** Kinds of models that run somewhere and can be moved. */
export const RELOCATABLE_KINDS = [
  'ingestor',
  'reingestor',
  'generator',
  'junction',
  'deduplicator',
  'correlator',
  'reorderer',
  'window_processor',
  'inferencer',
  'wasm_processor',
  'emitter',
  'hash_map',
  'relay',
] as const;
/** Kinds of models that run somewhere and can be moved. */
export type RelocatableKind = (typeof RELOCATABLE_KINDS)[number];

/** A runtime unit named with its kind. */
export interface RuntimeMember {
  readonly kind: RelocatableKind;
  readonly name: string;
}
