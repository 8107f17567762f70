import type { ResourceBinding } from './resource-binding.js';

/** What `CREATE VHOST` defines. */
export interface VhostModel {
  readonly kind: 'vhost';
  readonly name: string;
  readonly hostnames: readonly string[];
  readonly tls: ResourceBinding | null;
}
