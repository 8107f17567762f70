import {
  type CreateDomainStatement,
  type Pace,
  type PlacementPolicy,
  readDuration,
} from '@nervix/model';
import { keyword } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

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
          g.take(keyword('PACED'));
          const pacedName = takeName(g);
          return { name: pacedName, pace: takePace(g, literals) };
        },
      },
      {
        ALT: () => {
          g.take(keyword('UNPACED'));
          return takeUnpaced();
        },
      },
      { ALT: takeUnpaced },
    ]);
    const placement =
      g.maybe(0, () => {
        g.take(keyword('PLACEMENT'));
        return g.call(policy);
      }) ?? 'NEUTRAL';
    return { kind: 'create_domain', name, pace, placement };
  });
}

function takeName(g: GrammarHost): string {
  g.take(keyword('DOMAIN'));
  // A word cannot hold the dot that domain names refuse.
  return g.name(NAME);
}

function takePace(g: GrammarHost, literals: LiteralRules): Pace {
  g.take(keyword('WITH'));
  g.take(keyword('PERIOD'));
  const periodNanos = takeClockDuration(g, literals, false);
  g.take(keyword('SKEW'));
  const skewNanos = takeClockDuration(g, literals, true);
  return Object.freeze({ kind: 'paced', periodNanos, skewNanos });
}

function takeClockDuration(g: GrammarHost, literals: LiteralRules, isZeroAllowed: boolean): string {
  const first = g.position;
  const text = g.call(literals.duration);
  if (g.isRecording) return '';
  const duration = readDuration(text);
  if (duration.kind === 'refused') {
    g.refuse(`invalid duration '${text}': ${duration.reason}`, first);
    return '';
  }
  if (duration.value === 0n && !isZeroAllowed) {
    g.refuse(`invalid duration '${text}': it must be greater than zero`, first);
  }
  if (duration.value > NANOS_MAX) {
    g.refuse(`invalid duration '${text}': it exceeds 64-bit nanoseconds`, first);
  }
  return duration.value.toString();
}

function definePolicy(g: GrammarHost): Rule<PlacementPolicy> {
  const pair = (first: string, second: string, policy: PlacementPolicy) => ({
    ALT: () => {
      g.phrase(label(policy), [keyword(first), keyword(second)]);
      return policy;
    },
  });
  return g.rule('placementPolicy', () =>
    g.choose<PlacementPolicy>(0, [
      pair('REQUIRE', 'COLOCATION', 'REQUIRE COLOCATION'),
      pair('PREFER', 'COLOCATION', 'PREFER COLOCATION'),
      { ALT: () => g.takeAs(keyword('NEUTRAL'), 'NEUTRAL' as const) },
      pair('SUGGEST', 'SEPARATION', 'SUGGEST SEPARATION'),
    ]),
  );
}
