import {
  type CreateDomainStatement,
  type Pace,
  type PlacementPolicy,
  readDuration,
} from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords('PACED', 'UNPACED', 'PLACEMENT', 'DOMAIN', 'WITH', 'PERIOD', 'SKEW', 'NEUTRAL');

const NAME = label('domain_name');
const NANOS_MAX = 18446744073709551615n;

/** A CREATE DOMAIN without the words before the kind. */
export type DomainDraft = Omit<CreateDomainStatement, 'ifNotExists'>;

/** `[PACED | UNPACED] DOMAIN name …`. */
export function defineDomain(g: GrammarHost, literals: LiteralRules): Rule<DomainDraft> {
  const policy = definePolicy(g);
  const unpaced: Pace = Object.freeze({ kind: 'unpaced' });
  const takeUnpaced = () => ({ name: takeName(g), pace: unpaced });
  return g.rule('domain', (): DomainDraft => {
    const { name, pace } = g.choose<{ readonly name: string; readonly pace: Pace }>(0, [
      {
        ALT: () => {
          g.take(K.PACED);
          const pacedName = takeName(g);
          return { name: pacedName, pace: takePace(g, literals) };
        },
      },
      {
        ALT: () => {
          g.take(K.UNPACED);
          return takeUnpaced();
        },
      },
      { ALT: takeUnpaced },
    ]);
    const placement =
      g.maybe(0, () => {
        g.take(K.PLACEMENT);
        return g.call(policy);
      }) ?? 'NEUTRAL';
    return { kind: 'create_domain', name, pace, placement };
  });
}

function takeName(g: GrammarHost): string {
  g.take(K.DOMAIN);
  // A word cannot hold the dot that domain names refuse.
  return g.name(NAME);
}

function takePace(g: GrammarHost, literals: LiteralRules): Pace {
  g.take(K.WITH);
  g.take(K.PERIOD);
  const periodNanos = takeClockDuration(g, literals, false);
  g.take(K.SKEW);
  const skewNanos = takeClockDuration(g, literals, true);
  return Object.freeze({ kind: 'paced', periodNanos, skewNanos });
}

function takeClockDuration(g: GrammarHost, literals: LiteralRules, isZeroAllowed: boolean): string {
  const first = g.position;
  const text = g.call(literals.duration);
  if (g.isRecording) return '';
  const duration = readDuration(text);
  if (duration.kind === 'refused') {
    g.refuse(`invalid duration '${cutText(text)}': ${duration.reason}`, first);
    return '';
  }
  if (duration.value === 0n && !isZeroAllowed) {
    g.refuse(`invalid duration '${cutText(text)}': it must be greater than zero`, first);
  }
  if (duration.value > NANOS_MAX) {
    g.refuse(`invalid duration '${cutText(text)}': it exceeds 64-bit nanoseconds`, first);
  }
  return duration.value.toString();
}

function definePolicy(g: GrammarHost): Rule<PlacementPolicy> {
  const phrase = (policy: PlacementPolicy) => {
    const words = phraseOf(policy);
    return {
      ALT: () => {
        g.phrase(words);
        return policy;
      },
    };
  };
  return g.rule('placementPolicy', () =>
    g.choose<PlacementPolicy>(0, [
      phrase('REQUIRE COLOCATION'),
      phrase('PREFER COLOCATION'),
      { ALT: () => g.takeAs(K.NEUTRAL, 'NEUTRAL' as const) },
      phrase('SUGGEST SEPARATION'),
    ]),
  );
}
