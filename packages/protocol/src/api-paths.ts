/** Default origin of a node's session listener. */
export const DEFAULT_SERVER = 'http://127.0.0.1:47391';

/** Paths of the HTTP API, with names percent-encoded. */
export const API_PATHS: {
  readonly commands: string;
  readonly domains: string;
  domain(domain: string): string;
  entities(domain: string): string;
  graph(domain: string): string;
  rows(domain: string, relay: string): string;
  upload(domain: string, resource: string, identity: string): string;
} = {
  commands: '/api/v1/commands',
  domains: '/api/v1/domains',
  domain: (domain) => `/api/v1/domains/${encodeURIComponent(domain)}`,
  entities: (domain) => `/api/v1/domains/${encodeURIComponent(domain)}/entities`,
  graph: (domain) => `/api/v1/domains/${encodeURIComponent(domain)}/graph`,
  rows: (domain, relay) =>
    `/api/v1/domains/${encodeURIComponent(domain)}/relays/${encodeURIComponent(relay)}/rows`,
  upload: (domain, resource, identity) =>
    `/api/v1/domains/${encodeURIComponent(domain)}/resources/${encodeURIComponent(resource)}` +
    `/uploads/${encodeURIComponent(identity)}`,
};

/** Response header that names the reference a command ran under. */
export const EXECUTION_REFERENCE_HEADER = 'nervix-execution-reference';
