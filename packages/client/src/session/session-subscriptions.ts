import type {
  SubscribeDisposition,
  SubscribeRequest,
  SubscriptionHandle,
} from '@nervix/protocol/session';
import { delay } from '../call-deadline.js';
import type { CommandWait } from '../command-call.js';
import { AuthenticationError, RejectedError, SessionEndedError } from '../errors.js';
import type { SubscribeOptions } from '../subscription.js';
import { diagnosticOf } from './frame-outcome.js';
import type { Observation, SessionConnection, TerminalReply } from './session-connection.js';
import { requestOver, type SessionQuestions, violation } from './session-request.js';
import { SessionSubscription, type SubscriptionFrame } from './session-subscription.js';

type Opened = Extract<SubscribeDisposition, { readonly t: 'SubscriptionOpened' }>;

/** A subscription, and the session and generation that it is open on. */
interface OpenSubscription {
  readonly request: SubscribeRequest;
  subscription: SessionSubscription | undefined;
  connection: SessionConnection | undefined;
  handle: SubscriptionHandle | undefined;
}

/** Frames of rows that the server may send ahead of the iteration. */
const WINDOW_FRAMES = 32;
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;

const FRAMES: ReadonlySet<Observation['t']> = new Set([
  'SubscriptionRows',
  'SubscriptionDeliveryLost',
  'SubscriptionRowsSkipped',
  'SubscriptionEnded',
]);

function statementOf(name: string, options: SubscribeOptions): string {
  const { relay, delivery, sampleRate, where } = options;
  return [
    `CREATE SUBSCRIPTION ${name} TO ${relay}`,
    ...(delivery === undefined ? [] : [delivery.toUpperCase()]),
    ...(sampleRate === undefined ? [] : [`BATCH SAMPLE RATE ${sampleRate}`]),
    ...(where === undefined ? [] : [`WHERE ${where}`]),
  ].join(' ');
}

/** The subscriptions of a client, which its sessions carry one after the other (CL-48). */
export class SessionSubscriptions {
  readonly #sessions: SessionQuestions;
  readonly #entries: Set<OpenSubscription> = new Set();
  #named = 0;

  constructor(sessions: SessionQuestions) {
    this.#sessions = sessions;
  }

  /** Opens a subscription, and resolves when the server has confirmed it. */
  async open(domain: string, options: SubscribeOptions): Promise<SessionSubscription> {
    this.#named += 1;
    const entry: OpenSubscription = {
      request: {
        t: 'SubscribeRequest',
        domain,
        statement: statementOf(`client_${this.#named}`, options),
        subscription_type: 'Row',
        window_frames: WINDOW_FRAMES,
      },
      subscription: undefined,
      connection: undefined,
      handle: undefined,
    };
    const { signal } = options;
    this.#entries.add(entry);
    try {
      await this.#openOn(entry, signal === undefined ? {} : { signal });
    } catch (error) {
      this.#entries.delete(entry);
      throw error;
    }
    const { subscription } = entry;
    if (subscription === undefined) throw new SessionEndedError('the subscription is not open');
    const close = (): void => subscription.close();
    signal?.addEventListener('abort', close, { once: true });
    subscription.closing.addEventListener('abort', () => {
      signal?.removeEventListener('abort', close);
    });
    return subscription;
  }

  /** Takes what comes for a subscription; handles that are not held belong to closed ones. */
  observe(observation: Observation): void {
    if (!FRAMES.has(observation.t)) return;
    const frame = observation as SubscriptionFrame;
    const { name, generation } = frame.subscription;
    for (const entry of this.#entries) {
      const { handle, connection, subscription } = entry;
      if (handle?.name !== name || handle.generation !== generation) continue;
      if (frame.t === 'SubscriptionEnded') this.#entries.delete(entry);
      const fault = subscription?.take(frame);
      if (fault !== undefined) connection?.fail(`protocol violation: ${fault}`);
    }
  }

  /** Takes up again what a session carried that is over. */
  sessionEnded(reason: string): void {
    for (const entry of this.#entries) {
      if (entry.connection?.endReason === undefined || entry.handle === undefined) continue;
      entry.handle = undefined;
      entry.subscription?.interrupt(reason);
      void this.#restore(entry);
    }
  }

  /** Ends all of them. */
  close(): void {
    for (const { subscription } of this.#entries) subscription?.close();
  }

  async #restore(entry: OpenSubscription): Promise<void> {
    const { subscription } = entry;
    if (subscription === undefined) return;
    const { closing: signal } = subscription;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; ) {
      try {
        await this.#openOn(entry, { signal });
        return;
      } catch (error) {
        if (signal.aborted) return;
        const failure = error instanceof Error ? error : new Error(String(error));
        // Neither refused credentials nor a closed client are asked again.
        if (failure instanceof AuthenticationError || failure instanceof SessionEndedError) {
          this.#entries.delete(entry);
          subscription.fail(failure);
          return;
        }
        subscription.restorationFailed(failure.message, pauseMs);
        await delay(pauseMs, signal);
        pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
      }
    }
  }

  async #openOn(entry: OpenSubscription, wait: CommandWait): Promise<void> {
    await this.#sessions.ask('opening the subscription', wait, async (connection, context) => {
      // Rows may come right behind the reply, so it is taken before anything else is read.
      const replied = (reply: TerminalReply): void => this.#bind(entry, connection, reply);
      const result = await requestOver(connection, entry.request, context, { replied });
      if (result.kind !== 'answered') return result;
      const { answer } = result;
      if (answer.t !== 'SubscribeOutcome') return violation(connection, answer);
      const { disposition, message, diagnostics } = answer;
      if (disposition.t === 'SubscriptionOpened') return { kind: 'done', value: undefined };
      const facts = { diagnostics: diagnostics.map(diagnosticOf) };
      return { kind: 'failed', error: new RejectedError(disposition.code, message, facts) };
    });
  }

  #bind(entry: OpenSubscription, connection: SessionConnection, reply: TerminalReply): void {
    if (reply.t !== 'SubscribeOutcome') return;
    const { disposition } = reply;
    if (disposition.t !== 'SubscriptionOpened') return;
    entry.connection = connection;
    entry.handle = disposition.subscription;
    // Whoever asked for it may have left by now.
    if (!this.#entries.has(entry)) this.#unsubscribe(entry);
    else if (entry.subscription !== undefined) entry.subscription.restore(disposition.schema);
    else entry.subscription = this.#subscriptionOf(entry, disposition);
  }

  #subscriptionOf(entry: OpenSubscription, opened: Opened): SessionSubscription {
    return new SessionSubscription(opened, {
      grant: () => {
        if (entry.handle !== undefined) entry.connection?.grant(entry.handle, 1);
      },
      close: () => this.#unsubscribe(entry),
    });
  }

  #unsubscribe(entry: OpenSubscription): void {
    this.#entries.delete(entry);
    const { connection, handle } = entry;
    if (connection === undefined || handle === undefined) return;
    entry.handle = undefined;
    // Whatever is answered, nothing of this handle is read any more.
    const { signal } = new AbortController();
    void connection.request({ t: 'UnsubscribeRequest', subscription: handle }, signal);
  }
}
