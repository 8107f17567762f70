export interface ResourceBinding {
  readonly resource: string;
  /** Decimal version number, or LATEST until it is resolved. */
  readonly version: string;
}

export interface VhostModel {
  readonly kind: 'vhost';
  readonly name: string;
  readonly hostnames: readonly string[];
  readonly tls: ResourceBinding | null;
}
