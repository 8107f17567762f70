import type { ResourceBinding } from './resource-binding.js';

/** Types whose clause is their word alone. */
export const PLAIN_CLIENT_TYPES = [
  'KAFKA',
  'PULSAR',
  'HTTP',
  'SENTRY',
  'OTEL',
  'PROMETHEUS',
  'RABBITMQ',
  'MQTT',
  'NATS',
  'ZEROMQ',
  'SQS',
  'S3',
  'GCS',
  'AZURE_BLOB',
  'ICEBERG_REST',
  'SYSLOG',
  'CLICKHOUSE',
] as const;
/** Types that hold a pool of connections. */
export const POOLED_CLIENT_TYPES = ['REDIS', 'POSTGRES', 'MYSQL', 'MONGODB'] as const;

/** Kinds of clients that are a word. */
export type PlainClientType = (typeof PLAIN_CLIENT_TYPES)[number];
/** Kinds of clients that keep a pool of connections. */
export type PooledClientType = (typeof POOLED_CLIENT_TYPES)[number];
/** Kinds of clients. */
export type ClientType = PlainClientType | PooledClientType | 'WEBSOCKETS';

/** Bounds of a connection pool; decimal texts, `min` at most `max`. */
export interface PoolSize {
  readonly min: string;
  readonly max: string;
}

/** A value of a client's settings: a text, or a secret to take it from. */
export type ClientConfigValue =
  | { readonly kind: 'text'; readonly text: string }
  /** A reference to a stored secret, to one key of it where `key` is given. */
  | { readonly kind: 'secret'; readonly name: string; readonly key: string | null };

/** A setting of a client. */
export interface ClientConfigEntry {
  readonly key: string;
  readonly value: ClientConfigValue;
}

/** What `CREATE CLIENT` defines. */
export interface ClientModel {
  readonly kind: 'client';
  readonly name: string;
  readonly type: ClientType;
  /** Present exactly for pooled types. */
  readonly pool: PoolSize | null;
  /** Only WEBSOCKETS clients may have one. */
  readonly signaling: string | null;
  readonly mount: ResourceBinding | null;
  /** In declaration order; keys are matched without regard to ASCII case. */
  readonly config: readonly ClientConfigEntry[];
}
