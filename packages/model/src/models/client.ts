import type { ResourceBinding } from './vhost.js';

export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
}

export interface ClientModel {
  readonly kind: 'client';
  readonly name: string;
  readonly type: 'HTTP';
  readonly mount: ResourceBinding | null;
  /** In declaration order; keys are matched without regard to ASCII case. */
  readonly config: readonly ConfigEntry[];
}
