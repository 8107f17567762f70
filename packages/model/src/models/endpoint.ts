/** What `CREATE ENDPOINT` defines. */
export interface EndpointModel {
  readonly kind: 'endpoint';
  readonly name: string;
  readonly vhost: string;
  readonly path: string;
  readonly type: 'HTTP' | 'WEBSOCKETS';
  readonly signaling: string | null;
}
