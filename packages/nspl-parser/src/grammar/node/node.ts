import type { NodeStatement, Statement } from '@nervix/model';
import type { TokenType } from 'chevrotain';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { takeNodeId } from '../hostname.js';
import type { LiteralRules } from '../literals.js';

const K = keywords(
  'CORDON',
  'UNCORDON',
  'DRAIN',
  'DROP',
  'NODE',
  'QUARANTINE',
  'REASON',
  'RELEASE',
  'EVIDENCE',
);

const NODE_ID = label('node_id');
const NODE = label('ref:node');
const REASON = label('string_literal');

/** Statements about one node of the cluster, by their first words. */
export interface NodeRules {
  readonly cordon: Rule<Statement>;
  readonly uncordon: Rule<Statement>;
  readonly drain: Rule<Statement>;
  readonly drop: Rule<Statement>;
  readonly quarantine: Rule<Statement>;
  readonly release: Rule<Statement>;
}

/** CORDON, UNCORDON, DRAIN, DROP, QUARANTINE and RELEASE NODE. */
export function defineNodes(g: GrammarHost, literals: LiteralRules): NodeRules {
  const plain = (name: string, verb: TokenType, kind: NodeStatement['kind']) =>
    g.rule(name, (): Statement => {
      g.take(verb);
      g.take(K.NODE);
      return { kind, node: takeNodeId(g, literals, NODE_ID) };
    });
  const quarantine = g.rule('quarantineNode', (): Statement => {
    g.take(K.QUARANTINE);
    g.take(K.NODE);
    const node = takeNodeId(g, literals, NODE);
    return { kind: 'quarantine_node', node, reason: takeNote(g, K.REASON) };
  });
  const release = g.rule('releaseNode', (): Statement => {
    g.take(K.RELEASE);
    g.take(K.NODE);
    const node = takeNodeId(g, literals, NODE);
    return { kind: 'release_node', node, evidence: takeNote(g, K.EVIDENCE) };
  });
  return {
    cordon: plain('cordonNode', K.CORDON, 'cordon_node'),
    uncordon: plain('uncordonNode', K.UNCORDON, 'uncordon_node'),
    drain: plain('drainNode', K.DRAIN, 'drain_node'),
    drop: plain('dropNode', K.DROP, 'drop_node'),
    quarantine,
    release,
  };
}

/** An optional text behind a word; the only optional part of its rule. */
function takeNote(g: GrammarHost, word: TokenType): string | null {
  const note = g.maybe(0, () => {
    g.take(word);
    return g.text(REASON);
  });
  return note ?? null;
}
