import type { GrantSubscriptionCredit, SubscriptionHandle } from '@nervix/protocol/session';
import type { OpenedView } from '../../control-plane/reads/open-view.js';
import type { Logger } from '../../logging/logger.js';
import type { OutboundLanes } from '../outbound-lanes.js';
import { type DeliverySettings, SessionSubscription } from './session-subscription.js';
import type { SubscriptionSubject } from './subscription-frames.js';

interface OpenSubscription {
  readonly subscription: SessionSubscription;
  view: OpenedView | undefined;
}

/** The subscriptions of one session, by name; a name used again has another generation. */
export class SessionSubscriptions {
  readonly #lanes: OutboundLanes;
  readonly #logger: Logger;
  readonly #open = new Map<string, OpenSubscription>();
  /** Opened, but the reply that says so is not out yet. */
  readonly #unannounced = new Set<OpenedView>();
  #generation = 0n;
  #isClosed = false;

  constructor(lanes: OutboundLanes, logger: Logger) {
    this.#lanes = lanes;
    this.#logger = logger;
  }

  has(name: string): boolean {
    return this.#open.has(name);
  }

  /** The next generation; one whose opening fails is not used again. */
  nextGeneration(): bigint {
    this.#generation += 1n;
    return this.#generation;
  }

  /** Takes a name, so that events can be read before the view is there. */
  add(subject: SubscriptionSubject, settings: DeliverySettings): SessionSubscription {
    const { name } = subject.handle;
    const subscription = new SessionSubscription(subject, this.#lanes, settings, () => {
      // The source has let go already.
      if (this.#open.get(name)?.subscription === subscription) this.#open.delete(name);
    });
    this.#open.set(name, { subscription, view: undefined });
    return subscription;
  }

  /** Ties a subscription to its view, whose events wait until the reply is out. */
  opened(subscription: SessionSubscription, view: OpenedView): void {
    const open = this.#open.get(subscription.subject.handle.name);
    this.#unannounced.add(view);
    if (open?.subscription === subscription && !this.#isClosed) open.view = view;
    else this.#closeView(view);
  }

  /** The replies of all that was opened are out: their events may follow. */
  announced(): void {
    for (const view of this.#unannounced) view.begin();
    this.#unannounced.clear();
  }

  /** Gives a name free; tells what the subscription was of, or undefined for an unknown one. */
  remove({ name, generation }: SubscriptionHandle): SubscriptionSubject | undefined {
    const open = this.#open.get(name);
    if (open === undefined || open.subscription.subject.handle.generation !== generation) {
      return undefined;
    }
    this.#open.delete(name);
    open.subscription.close();
    if (open.view !== undefined) this.#closeView(open.view);
    return open.subscription.subject;
  }

  /** Credit for one that ended meanwhile is for nobody. */
  grant({ subscription: { name, generation }, frames }: GrantSubscriptionCredit): void {
    const subscription = this.#open.get(name)?.subscription;
    if (subscription?.subject.handle.generation === generation) subscription.grant(frames);
  }

  /** Ends all of them; the session is over. */
  close(): void {
    this.#isClosed = true;
    for (const { subscription } of [...this.#open.values()])
      this.remove(subscription.subject.handle);
  }

  #closeView(view: OpenedView): void {
    // Events that were never announced go nowhere, but must not hold their source.
    if (this.#unannounced.delete(view)) view.begin();
    view.stream.close().catch((error: unknown) => {
      this.#logger.error('closing a subscription failed', {}, error);
    });
  }
}
