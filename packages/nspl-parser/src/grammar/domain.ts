import type { AlterDomainStatement, CreateDomainStatement, Pace, Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { takeClockDuration } from './clock-duration.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';

const K = keywords(
  'PACED',
  'UNPACED',
  'PLACEMENT',
  'DOMAIN',
  'WITH',
  'PERIOD',
  'SKEW',
  'SET',
  'CLASS',
  'ON',
  'RECOVER',
  'HOLD',
  'CASCADE',
  'PROMOTE',
  'TO',
);
const PHRASE_OWNER_LOSS = phraseOf('OWNER LOSS');

const NAME = label('domain_name');
const DOMAIN = label('ref:domain');
const CLASS_NAME = label('class_name');

/** A CREATE DOMAIN without the words before the kind. */
export type DomainDraft = Omit<CreateDomainStatement, 'ifNotExists'>;

/** `[PACED | UNPACED] DOMAIN name …`. */
export function defineDomain(g: GrammarHost, literals: LiteralRules): Rule<DomainDraft> {
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
        return g.call(literals.placementPolicy);
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
  const periodNanos = takeClockDuration(g, literals);
  g.take(K.SKEW);
  const skewNanos = takeClockDuration(g, literals, { isZeroAllowed: true });
  return Object.freeze({ kind: 'paced', periodNanos, skewNanos });
}

/** `DOMAIN SET …` of ALTER, on the selected domain. */
export function defineAlterDomain(
  g: GrammarHost,
  literals: LiteralRules,
): Rule<AlterDomainStatement> {
  const setting = g.rule('domainSetting', () =>
    g.choose<AlterDomainStatement['setting']>(0, [
      {
        ALT: () => {
          g.take(K.PLACEMENT);
          return { kind: 'placement', policy: g.call(literals.placementPolicy) };
        },
      },
      {
        ALT: () => {
          g.take(K.CLASS);
          return { kind: 'class', name: g.name(CLASS_NAME) };
        },
      },
      {
        ALT: () => {
          g.take(K.ON);
          g.phrase(PHRASE_OWNER_LOSS);
          const reaction = g.choose<'RECOVER' | 'HOLD'>(1, [
            { ALT: () => g.takeAs(K.RECOVER, 'RECOVER') },
            { ALT: () => g.takeAs(K.HOLD, 'HOLD') },
          ]);
          return { kind: 'owner_loss', reaction };
        },
      },
    ]),
  );
  return g.rule('alterDomain', () => {
    g.take(K.DOMAIN);
    g.take(K.SET);
    return { kind: 'alter_domain', setting: Object.freeze(g.call(setting)) };
  });
}

/** `DOMAIN name [CASCADE]` of DROP. */
export function defineDropDomain(g: GrammarHost): Rule<Statement> {
  return g.rule('dropDomain', (): Statement => {
    g.take(K.DOMAIN);
    const domain = g.name(DOMAIN);
    const cascade = g.maybe(0, () => g.takeAs(K.CASCADE, true)) ?? false;
    return { kind: 'drop_domain', domain, cascade };
  });
}

/** `PROMOTE DOMAIN name TO name`. */
export function definePromoteDomain(g: GrammarHost): Rule<Statement> {
  return g.rule('promoteDomain', (): Statement => {
    g.take(K.PROMOTE);
    g.take(K.DOMAIN);
    const from = g.name(DOMAIN);
    g.take(K.TO);
    return { kind: 'promote_domain', from, to: g.name(DOMAIN) };
  });
}
