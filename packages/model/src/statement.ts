import type { Expression } from './expression.js';
import type { Model, ModelKind } from './models/model.js';

export type PlacementPolicy =
  | 'REQUIRE COLOCATION'
  | 'PREFER COLOCATION'
  | 'NEUTRAL'
  | 'SUGGEST SEPARATION';

/** Pace of a domain; clock durations are nanoseconds in decimal text. */
export type Pace =
  | { readonly kind: 'unpaced' }
  | { readonly kind: 'paced'; readonly periodNanos: string; readonly skewNanos: string };

export interface CreateDomainStatement {
  readonly kind: 'create_domain';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly pace: Pace;
  readonly placement: PlacementPolicy;
}
export interface CreateUserStatement {
  readonly kind: 'create_user';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly password: string;
}
export interface UseStatement {
  readonly kind: 'use';
  readonly domain: string;
}
export interface ListDomainsStatement {
  readonly kind: 'list_domains';
}
export interface BeginStatement {
  readonly kind: 'begin';
}
export interface CommitStatement {
  readonly kind: 'commit';
}
export interface RevertStatement {
  readonly kind: 'revert';
}
export interface CreateModelStatement {
  readonly kind: 'create_model';
  readonly ifNotExists: boolean;
  readonly model: Model;
}
export interface DropModelStatement {
  readonly kind: 'drop_model';
  readonly modelKind: ModelKind;
  readonly name: string;
}
export interface StartStatement {
  readonly kind: 'start';
  readonly at: StartInstant | null;
}
export interface StartInstant {
  /** null for NOW, else the instant's text as written. */
  readonly instant: string | null;
  readonly timeRate: number;
}
export interface StopStatement {
  readonly kind: 'stop';
}
export interface ShowCreateStatement {
  readonly kind: 'show_create';
  readonly modelKind: ModelKind;
  readonly name: string;
}
export interface ShowIngestorsStatement {
  readonly kind: 'show_ingestors';
}
export interface ShowTransactionsStatement {
  readonly kind: 'show_transactions';
}
export interface DescribeDomainStatement {
  readonly kind: 'describe_domain';
}
export type DescribableKind =
  | 'endpoint'
  | 'ingestor'
  | 'junction'
  | 'deduplicator'
  | 'window_processor'
  | 'emitter';
export interface DescribeModelStatement {
  readonly kind: 'describe_model';
  readonly modelKind: DescribableKind;
  readonly name: string;
}
export type LiteralValue =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean };
export interface LiteralBinding {
  readonly field: string;
  readonly value: LiteralValue;
}
export interface DescribeRelayStatement {
  readonly kind: 'describe_relay';
  readonly relay: string;
  /** null without a WHERE clause. */
  readonly bindings: readonly LiteralBinding[] | null;
}
export type SubscriptionDelivery = 'BLOCKING' | 'DROPPING';
export interface CreateSubscriptionStatement {
  readonly kind: 'create_subscription';
  readonly name: string;
  readonly relay: string;
  readonly delivery: SubscriptionDelivery;
  /** 0.0 to 1.0, or null without the clause. */
  readonly batchSampleRate: number | null;
  readonly where: Expression | null;
}
export interface DeleteSubscriptionStatement {
  readonly kind: 'delete_subscription';
  readonly name: string;
}

/** Every statement of the language that this release reads. */
export type Statement =
  | CreateDomainStatement
  | CreateUserStatement
  | UseStatement
  | ListDomainsStatement
  | BeginStatement
  | CommitStatement
  | RevertStatement
  | CreateModelStatement
  | DropModelStatement
  | StartStatement
  | StopStatement
  | ShowCreateStatement
  | ShowIngestorsStatement
  | ShowTransactionsStatement
  | DescribeDomainStatement
  | DescribeModelStatement
  | DescribeRelayStatement
  | CreateSubscriptionStatement
  | DeleteSubscriptionStatement;
