import type { RevisionSubject, Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { takeNodeId } from '../hostname.js';
import type { LiteralRules } from '../literals.js';
import { takeOutputFormat } from '../output-format.js';

const K = keywords('REVISIONS', 'OF', 'DOMAIN', 'NODE', 'POOL');

const DOMAIN = label('ref:domain');
const NODE = label('ref:node');
const POOL = label('ref:pool');

/** `REVISIONS OF subject [FORMAT …]` of DESCRIBE. */
export function defineDescribeRevisions(g: GrammarHost, literals: LiteralRules): Rule<Statement> {
  const subject = g.rule('revisionSubject', () =>
    g.choose<RevisionSubject>(0, [
      {
        ALT: () => {
          g.take(K.DOMAIN);
          return { kind: 'domain', domain: g.name(DOMAIN) };
        },
      },
      {
        ALT: () => {
          g.take(K.NODE);
          return { kind: 'node', node: takeNodeId(g, literals, NODE) };
        },
      },
      {
        ALT: () => {
          g.take(K.POOL);
          return { kind: 'pool', pool: g.name(POOL) };
        },
      },
      { ALT: () => ({ kind: 'member', member: g.call(literals.member) }) },
    ]),
  );
  return g.rule('describeRevisions', (): Statement => {
    g.take(K.REVISIONS);
    g.take(K.OF);
    const found = Object.freeze(g.call(subject));
    return { kind: 'describe_revisions', subject: found, format: takeOutputFormat(g, 0) };
  });
}
