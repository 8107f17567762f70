import type { EntryKind } from './entry.ts';

/** Number of each entry kind, in stores and on the wire. Never changed, only added to. */
export const ENTRY_KIND_CODE: { readonly [K in EntryKind]: number } = {
  normal: 1,
  empty: 2,
  configuration: 3,
};

/** Inverse of {@link ENTRY_KIND_CODE}. */
export const ENTRY_KINDS: ReadonlyMap<number, EntryKind> = new Map([
  [ENTRY_KIND_CODE.normal, 'normal'],
  [ENTRY_KIND_CODE.empty, 'empty'],
  [ENTRY_KIND_CODE.configuration, 'configuration'],
]);
