export type DomainStatus = 'Stopped' | 'Running' | 'Paused';

export interface DomainEntry {
  readonly domain: string;
  readonly status: DomainStatus;
  readonly pace: { readonly t: 'Unpaced' };
  readonly generation: number;
}

/** Answer of `GET /api/v1/domains`. */
export interface DomainList {
  readonly domains: readonly DomainEntry[];
}

/** A model of a domain, or one of its resources. */
export interface DomainEntity {
  /** Kind of the model, or `resource`. */
  readonly kind: string;
  readonly name: string;
  /** Latest complete version of a resource; absent before the first one. */
  readonly latest_version?: number;
}

/** Answer of `GET /api/v1/domains/{d}/entities`. */
export interface EntityList {
  readonly entities: readonly DomainEntity[];
}

export type GraphNodeKind = 'CLIENT' | 'INGESTOR' | 'PROCESSOR' | 'EMITTER' | 'RELAY';
export interface GraphNode {
  /** `<model kind>/<name>`, unique in the document. */
  readonly id: string;
  readonly label: string;
  readonly kind: GraphNodeKind;
  readonly subtype: string;
  readonly schema?: string;
  readonly status: 'OK' | 'WAITING' | 'ERROR';
  readonly status_detail?: string;
}
export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly kind: 'DATA' | 'MESSAGE_ERROR';
}

/** Answer of `GET /api/v1/domains/{d}/graph`. */
export interface GraphDocument {
  readonly domain: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
