import type { PlacementPolicy } from '../models/placement.js';

/** Pace of a domain; clock durations are nanoseconds in decimal text. */
export type Pace =
  | { readonly kind: 'unpaced' }
  | { readonly kind: 'paced'; readonly periodNanos: string; readonly skewNanos: string };

/** `CREATE DOMAIN`. */
export interface CreateDomainStatement {
  readonly kind: 'create_domain';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly pace: Pace;
  readonly placement: PlacementPolicy;
}
/** `DROP DOMAIN`. */
export interface DropDomainStatement {
  readonly kind: 'drop_domain';
  readonly domain: string;
  readonly cascade: boolean;
}
/** `PROMOTE DOMAIN`. */
export interface PromoteDomainStatement {
  readonly kind: 'promote_domain';
  readonly from: string;
  readonly to: string;
}
/** One setting of the selected domain. */
export interface AlterDomainStatement {
  readonly kind: 'alter_domain';
  readonly setting:
    | { readonly kind: 'placement'; readonly policy: PlacementPolicy }
    | { readonly kind: 'class'; readonly name: string }
    | { readonly kind: 'owner_loss'; readonly reaction: 'RECOVER' | 'HOLD' };
}
/** `DESCRIBE DOMAIN`. */
export interface DescribeDomainStatement {
  readonly kind: 'describe_domain';
}
/** `START`. */
export interface StartStatement {
  readonly kind: 'start';
  /** null to resume where the domain's clock stands. */
  readonly at: StartInstant | null;
}
/** Where logical time begins, and how fast it runs. */
export interface StartInstant {
  /** null for NOW, else the instant's text as written. */
  readonly instant: string | null;
  readonly timeRate: number;
}
/** `STOP`. */
export interface StopStatement {
  readonly kind: 'stop';
}

/** Statements about domains. */
export type DomainStatement =
  | CreateDomainStatement
  | DropDomainStatement
  | PromoteDomainStatement
  | AlterDomainStatement
  | DescribeDomainStatement
  | StartStatement
  | StopStatement;
