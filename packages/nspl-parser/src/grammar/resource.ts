import {
  type CreateResourceStatement,
  REBINDABLE_KINDS,
  type RebindMember,
  type Statement,
  statementWords,
} from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { takeU64, takeVersion } from './literals.js';
import { modelReference } from './model-words.js';

const K = keywords('RESOURCE', 'REBIND', 'TO', 'FOR', 'VERSION');

const NAME = label('resource_name');
const RESOURCE = label('ref:resource');
const VERSION = label('resource_version');

/** A CREATE RESOURCE without the words before the kind. */
export type ResourceDraft = Omit<CreateResourceStatement, 'ifNotExists'>;

/** `RESOURCE name`. */
export function defineResource(g: GrammarHost): Rule<ResourceDraft> {
  return g.rule('resource', (): ResourceDraft => {
    g.take(K.RESOURCE);
    return { kind: 'create_resource', name: g.name(NAME) };
  });
}

/** `RESOURCE name [VERSION …]` of DESCRIBE. */
export function defineDescribeResource(g: GrammarHost): Rule<Statement> {
  return g.rule('describeResource', (): Statement => {
    g.take(K.RESOURCE);
    const name = g.name(RESOURCE);
    const version =
      g.maybe(0, () => {
        g.take(K.VERSION);
        return takeU64(g, VERSION);
      }) ?? null;
    return { kind: 'describe_resource', name, version };
  });
}

/** `REBIND RESOURCE name TO VERSION … [FOR kind name, …]`. */
export function defineRebind(g: GrammarHost): Rule<Statement> {
  const members = defineRebindMembers(g);
  return g.rule('rebind', (): Statement => {
    g.take(K.REBIND);
    g.take(K.RESOURCE);
    const resource = g.name(RESOURCE);
    g.take(K.TO);
    const version = takeVersion(g, 0);
    const found = g.maybe(0, () => g.call(members)) ?? null;
    return { kind: 'rebind_resource', resource, version, members: found };
  });
}

function defineRebindMembers(g: GrammarHost): Rule<readonly RebindMember[]> {
  const kinds = REBINDABLE_KINDS.map((kind) => {
    const reference = modelReference(g, kind, { isPhrase: true });
    return { ALT: (): RebindMember => ({ kind, name: reference() }) };
  });
  const member = g.rule('rebindMember', () => {
    const first = g.position;
    return g.close(g.choose(0, kinds), first);
  });
  return g.rule('rebindMembers', () => {
    g.take(K.FOR);
    const found = g.distinctList(
      0,
      () => g.call(member),
      ({ kind, name }) => `FOR member ${statementWords(kind)} '${name}'`,
    );
    return Object.freeze([...found].sort(compareMembers));
  });
}

function compareMembers(left: RebindMember, right: RebindMember): number {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return (
    order(statementWords(left.kind), statementWords(right.kind)) || order(left.name, right.name)
  );
}
