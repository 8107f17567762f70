import type { ResourceBinding } from './resource-binding.js';

/** A lookup table read from a file of a resource. */
export interface HashMapModel {
  readonly kind: 'hash_map';
  readonly name: string;
  /** Field of the decoded records that identifies one. */
  readonly key: string;
  readonly resource: ResourceBinding;
  readonly path: string;
  readonly decodeUsing: string;
}
