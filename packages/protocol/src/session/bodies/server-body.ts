import { displayText, positiveU64, smallInteger, text } from '../shape/scalar-shapes.js';
import {
  nothing,
  optional,
  type RecordShape,
  record,
  type UnionShape,
  union,
} from '../shape/shape.js';
import { type LeaderRedirect, leaderRedirect } from './dispositions.js';
import { type FrameDomain, frameDomains } from './lookup-replies.js';
import { type ReplyBody, replyBody } from './reply.js';
import {
  type SubscriptionDeliveryLost,
  type SubscriptionEnded,
  type SubscriptionRows,
  type SubscriptionRowsSkipped,
  subscriptionDeliveryLost,
  subscriptionEnded,
  subscriptionRows,
  subscriptionRowsSkipped,
} from './subscription-bodies.js';

export interface Reply {
  readonly t: 'Reply';
  readonly request_id: bigint;
  readonly body: ReplyBody;
}

export type Leadership =
  | { readonly t: 'LeaderIsServingNode'; readonly node: string }
  | {
      readonly t: 'LeaderIsRemote';
      readonly node: string;
      readonly session_uri?: string;
      readonly console_uri?: string;
    }
  | { readonly t: 'LeaderUnknown' };

/** First frame of a session, and again whenever the leader changes. */
export interface LeadershipObserved {
  readonly t: 'LeadershipObserved';
  readonly leadership: Leadership;
  readonly feature_level: {
    readonly session: number;
    readonly node: number;
    readonly activated: number;
  };
  /** Id of the cluster; another one means that nothing learned before holds. */
  readonly cluster: string;
}

/** Second frame of a session, and again whenever a domain changes. */
export interface DomainsObserved {
  readonly t: 'DomainsObserved';
  readonly domains: readonly FrameDomain[];
}

export type EndingReason =
  | { readonly t: 'ServerShuttingDown' }
  | LeaderRedirect
  | { readonly t: 'ProtocolViolated'; readonly message: string };

/** Last frame of a session: no reply follows. */
export interface SessionEnding {
  readonly t: 'SessionEnding';
  readonly reason: EndingReason;
}

/** All that a server sends. */
export type ServerBody =
  | Reply
  | LeadershipObserved
  | DomainsObserved
  | SubscriptionRows
  | SubscriptionDeliveryLost
  | SubscriptionRowsSkipped
  | SubscriptionEnded
  | SessionEnding;

const leadership: UnionShape<Leadership> = union<Leadership>({
  LeaderIsServingNode: record<{ readonly node: string }>({ node: text() }),
  LeaderIsRemote: record<Omit<Extract<Leadership, { readonly t: 'LeaderIsRemote' }>, 't'>>({
    node: text(),
    session_uri: optional(text()),
    console_uri: optional(text()),
  }),
  LeaderUnknown: nothing,
});

const leadershipObserved: RecordShape<Omit<LeadershipObserved, 't'>> = record<
  Omit<LeadershipObserved, 't'>
>({
  leadership,
  feature_level: record<LeadershipObserved['feature_level']>({
    session: smallInteger(1),
    node: smallInteger(1),
    activated: smallInteger(1),
  }),
  cluster: text(),
});

const endingReason: UnionShape<EndingReason> = union<EndingReason>({
  ServerShuttingDown: nothing,
  LeaderRedirect: leaderRedirect,
  ProtocolViolated: record<{ readonly message: string }>({ message: displayText }),
});

export const serverBody: UnionShape<ServerBody> = union<ServerBody>({
  Reply: record<Omit<Reply, 't'>>({ request_id: positiveU64, body: replyBody }),
  LeadershipObserved: leadershipObserved,
  DomainsObserved: record<Omit<DomainsObserved, 't'>>({ domains: frameDomains }),
  SubscriptionRows: subscriptionRows,
  SubscriptionDeliveryLost: subscriptionDeliveryLost,
  SubscriptionRowsSkipped: subscriptionRowsSkipped,
  SubscriptionEnded: subscriptionEnded,
  SessionEnding: record<Omit<SessionEnding, 't'>>({ reason: endingReason }),
});
