import type { NodeOperation, Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import type { ClosedSettings } from '../closed-settings.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { takeNodeId } from '../hostname.js';
import type { LiteralRules } from '../literals.js';

const K = keywords(
  'NODE',
  'SET',
  'DROP',
  'POOL',
  'LABELS',
  'CAPACITY',
  'MAINTENANCE',
  'FROM',
  'TO',
);

const NODE = label('ref:node');
const POOL = label('ref:pool');
const INSTANT = label('timestamp');

/** `NODE id operation, …` of ALTER. */
export function defineAlterNode(
  g: GrammarHost,
  literals: LiteralRules,
  closed: ClosedSettings,
): Rule<Statement> {
  const setting = defineSetting(g, literals, closed);
  const operation = g.rule('nodeOperation', () =>
    g.choose<NodeOperation>(0, [
      {
        ALT: () => {
          g.take(K.SET);
          return g.call(setting);
        },
      },
      {
        ALT: () => {
          g.take(K.DROP);
          return g.choose<NodeOperation>(1, [
            { ALT: () => g.takeAs(K.POOL, { op: 'drop_pool' }) },
            { ALT: () => g.takeAs(K.LABELS, { op: 'drop_labels' }) },
            { ALT: () => g.takeAs(K.CAPACITY, { op: 'drop_capacity' }) },
            { ALT: () => g.takeAs(K.MAINTENANCE, { op: 'drop_maintenance' }) },
          ]);
        },
      },
    ]),
  );
  return g.rule('alterNode', (): Statement => {
    g.take(K.NODE);
    const node = takeNodeId(g, literals, NODE);
    const operations = g.commaList(0, () => Object.freeze(g.call(operation)));
    return { kind: 'alter_node', node, operations };
  });
}

function defineSetting(
  g: GrammarHost,
  { settings }: LiteralRules,
  { capacity }: ClosedSettings,
): Rule<NodeOperation> {
  const alternatives: { ALT: () => NodeOperation }[] = [
    {
      ALT: () => {
        g.take(K.POOL);
        return { op: 'set_pool', pool: g.name(POOL) };
      },
    },
    {
      ALT: () => {
        g.take(K.LABELS);
        return { op: 'set_labels', settings: g.call(settings) };
      },
    },
    {
      ALT: () => {
        g.take(K.CAPACITY);
        return { op: 'set_capacity', settings: g.call(capacity) };
      },
    },
    {
      ALT: () => {
        g.take(K.MAINTENANCE);
        g.take(K.FROM);
        const from = g.text(INSTANT);
        g.take(K.TO);
        return { op: 'set_maintenance', from, to: g.text(INSTANT) };
      },
    },
  ];
  return g.rule('nodeSetting', () => g.choose(0, alternatives));
}
