import type { AuthorityScope, Capability, Granted, Grantee, Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { takeOutputFormat } from '../output-format.js';

const K = keywords(
  'GRANT',
  'REVOKE',
  'GRANTS',
  'ROLE',
  'USER',
  'ON',
  'TO',
  'FROM',
  'FOR',
  'EXPIRES',
);

const USER = label('ref:user');
const ROLE = label('ref:role');
const INSTANT = label('timestamp');

export interface GrantRules {
  readonly grant: Rule<Statement>;
  readonly revoke: Rule<Statement>;
  /** `GRANTS …` of SHOW. */
  readonly show: Rule<Statement>;
}

/** GRANT, REVOKE and SHOW GRANTS. */
export function defineGrants(
  g: GrammarHost,
  capabilities: Rule<readonly Capability[]>,
  scope: Rule<AuthorityScope>,
): GrantRules {
  const granted = defineGranted(g, capabilities);
  const grantee = defineGrantee(g);
  const grant = g.rule('grant', (): Statement => {
    g.take(K.GRANT);
    const right = g.call(granted);
    g.take(K.ON);
    const reach = g.call(scope);
    g.take(K.TO);
    const holder = g.call(grantee);
    const expires =
      g.maybe(0, () => {
        g.take(K.EXPIRES);
        return g.text(INSTANT);
      }) ?? null;
    return { kind: 'grant', granted: right, scope: reach, grantee: holder, expires };
  });
  const revoke = g.rule('revoke', (): Statement => {
    g.take(K.REVOKE);
    const right = g.call(granted);
    g.take(K.ON);
    const reach = g.call(scope);
    g.take(K.FROM);
    return { kind: 'revoke', granted: right, scope: reach, grantee: g.call(grantee) };
  });
  return { grant, revoke, show: defineShowGrants(g, grantee) };
}

function defineGranted(g: GrammarHost, capabilities: Rule<readonly Capability[]>): Rule<Granted> {
  return g.rule('granted', () =>
    g.choose<Granted>(0, [
      {
        ALT: () => {
          g.take(K.ROLE);
          return Object.freeze({ kind: 'role', role: g.name(ROLE) });
        },
      },
      {
        ALT: () => Object.freeze({ kind: 'capabilities', capabilities: g.call(capabilities) }),
      },
    ]),
  );
}

function defineGrantee(g: GrammarHost): Rule<Grantee> {
  return g.rule('grantee', () =>
    g.choose<Grantee>(0, [
      {
        ALT: () => {
          g.take(K.USER);
          return Object.freeze({ kind: 'user', name: g.name(USER) });
        },
      },
      {
        ALT: () => {
          g.take(K.ROLE);
          return Object.freeze({ kind: 'role', name: g.name(ROLE) });
        },
      },
    ]),
  );
}

function defineShowGrants(g: GrammarHost, grantee: Rule<Grantee>): Rule<Statement> {
  return g.rule('showGrants', (): Statement => {
    g.take(K.GRANTS);
    const holder =
      g.maybe(0, () => {
        g.take(K.FOR);
        return g.call(grantee);
      }) ?? null;
    return { kind: 'show_grants', grantee: holder, format: takeOutputFormat(g, 1) };
  });
}
