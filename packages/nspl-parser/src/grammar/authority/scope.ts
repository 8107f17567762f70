import type { AuthorityScope } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { takeNodeId } from '../hostname.js';
import type { LiteralRules } from '../literals.js';

const K = keywords('CLUSTER', 'PROJECT', 'DOMAIN', 'POOL', 'NODE', 'OPERATION', 'RESOURCE', 'IN');

const PROJECT = label('ref:project');
const DOMAIN = label('ref:domain');
const POOL = label('ref:pool');
const NODE = label('ref:node');
const OPERATION = label('ref:operation');
const RESOURCE = label('ref:resource');

const CLUSTER: AuthorityScope = Object.freeze({ kind: 'cluster' });

/** What authority reaches: the cluster, a part of it, or one object of a domain. */
export function defineScope(g: GrammarHost, literals: LiteralRules): Rule<AuthorityScope> {
  const domain = g.rule('scopeDomain', () => {
    g.take(K.IN);
    g.take(K.DOMAIN);
    return g.name(DOMAIN);
  });
  const alternatives: { ALT: () => AuthorityScope }[] = [
    { ALT: () => g.takeAs(K.CLUSTER, CLUSTER) },
    {
      ALT: () => {
        g.take(K.PROJECT);
        return { kind: 'project', project: g.name(PROJECT) };
      },
    },
    {
      ALT: () => {
        g.take(K.DOMAIN);
        return { kind: 'domain', domain: g.name(DOMAIN) };
      },
    },
    {
      ALT: () => {
        g.take(K.POOL);
        return { kind: 'pool', pool: g.name(POOL) };
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
        g.take(K.OPERATION);
        return { kind: 'operation', operation: g.text(OPERATION) };
      },
    },
    {
      ALT: () => {
        const member = g.call(literals.member);
        return { kind: 'member', member, domain: g.call(domain) };
      },
    },
    {
      ALT: () => {
        g.take(K.RESOURCE);
        const resource = g.name(RESOURCE);
        return { kind: 'resource', resource, domain: g.call(domain) };
      },
    },
  ];
  return g.rule('scope', () => Object.freeze(g.choose(0, alternatives)));
}
