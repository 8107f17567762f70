import type { AckWindow, RetryPolicy } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive } from './literals.js';

const K = keywords('SEQUENTIAL', 'PARALLEL', 'BACKOFF', 'MAX');
const PHRASE_ACK_TIMEOUT = phraseOf('ACK TIMEOUT');
const PHRASE_RETRY_POLICY = phraseOf('RETRY POLICY');
const MAX_IN_FLIGHT = label('max_in_flight');

export interface AcknowledgementRules {
  /** `ACK TIMEOUT …`. */
  readonly timeout: Rule<string>;
  /** `RETRY POLICY BACKOFF … MAX …`. */
  readonly retry: Rule<RetryPolicy>;
  /** `SEQUENTIAL | PARALLEL MAX n`. */
  readonly window: Rule<AckWindow>;
}

/** Parts that the modes of sources and sinks share. */
export function defineAcknowledgement(
  g: GrammarHost,
  literals: LiteralRules,
): AcknowledgementRules {
  const timeout = g.rule('ackTimeout', () => {
    g.phrase(PHRASE_ACK_TIMEOUT);
    return g.call(literals.duration);
  });
  const retry = g.rule('retryPolicy', (): RetryPolicy => {
    g.phrase(PHRASE_RETRY_POLICY);
    g.take(K.BACKOFF);
    const backoff = g.call(literals.duration);
    g.take(K.MAX);
    return Object.freeze({ backoff, max: g.call(literals.duration) });
  });
  const sequential: AckWindow = Object.freeze({ kind: 'sequential' });
  const window = g.rule('ackWindow', () =>
    g.choose<AckWindow>(0, [
      { ALT: () => g.takeAs(K.SEQUENTIAL, sequential) },
      {
        ALT: () => {
          g.take(K.PARALLEL);
          return Object.freeze({ kind: 'parallel', max: takeMaxInFlight(g) });
        },
      },
    ]),
  );
  return { timeout, retry, window };
}

/** `MAX n` behind PARALLEL. */
export function takeMaxInFlight(g: GrammarHost): string {
  g.take(K.MAX);
  return takePositive(g, MAX_IN_FLIGHT, 'parallel max in-flight must be greater than zero');
}
