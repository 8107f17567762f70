/** Default origin of a node's session listener. */
export const DEFAULT_SERVER = 'http://127.0.0.1:47391';

/** Paths of the HTTP API, with names percent-encoded. */
export const API_PATHS: {
  readonly commands: string;
  /** Where a WebSocket becomes a session. */
  readonly session: string;
  /** Sells tickets, of which each admits one session. */
  readonly tickets: string;
  /** The schema of the frames of sessions. */
  readonly schema: string;
  readonly transactions: string;
  transaction(id: string): string;
  readonly domains: string;
  domain(domain: string): string;
  entities(domain: string): string;
  graph(domain: string): string;
  rows(domain: string, relay: string): string;
  upload(domain: string, resource: string, identity: string): string;
  secrets(domain: string): string;
  /** One value of a secret, by the parameter `key`, or all of it. */
  secret(domain: string, name: string, key?: string): string;
} = {
  commands: '/api/v1/commands',
  session: '/session',
  tickets: '/api/v1/tickets',
  schema: '/api/v1/schema',
  transactions: '/api/v1/transactions',
  transaction: (id) => `/api/v1/transactions/${encodeURIComponent(id)}`,
  domains: '/api/v1/domains',
  domain: (domain) => `/api/v1/domains/${encodeURIComponent(domain)}`,
  entities: (domain) => `/api/v1/domains/${encodeURIComponent(domain)}/entities`,
  graph: (domain) => `/api/v1/domains/${encodeURIComponent(domain)}/graph`,
  rows: (domain, relay) =>
    `/api/v1/domains/${encodeURIComponent(domain)}/relays/${encodeURIComponent(relay)}/rows`,
  upload: (domain, resource, identity) =>
    `/api/v1/domains/${encodeURIComponent(domain)}/resources/${encodeURIComponent(resource)}` +
    `/uploads/${encodeURIComponent(identity)}`,
  secrets: (domain) => `/api/v1/domains/${encodeURIComponent(domain)}/secrets`,
  secret: (domain, name, key) =>
    `/api/v1/domains/${encodeURIComponent(domain)}/secrets/${encodeURIComponent(name)}` +
    (key === undefined ? '' : `?key=${encodeURIComponent(key)}`),
};

/** Response header that names the reference a command ran under. */
export const EXECUTION_REFERENCE_HEADER = 'nervix-execution-reference';

/** Answer of `POST /api/v1/tickets`. */
export interface SessionTicket {
  /** Admits one session soon after, as the parameter `ticket` of its address. */
  readonly ticket: string;
}
