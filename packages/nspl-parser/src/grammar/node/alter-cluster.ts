import type { Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import { takePositive } from '../literals.js';

const K = keywords('CLUSTER', 'SET');
const PHRASE_FEATURE_LEVEL = phraseOf('FEATURE LEVEL');

const LEVEL = label('number_literal');

/** `CLUSTER SET FEATURE LEVEL n` of ALTER. */
export function defineAlterCluster(g: GrammarHost): Rule<Statement> {
  return g.rule('alterCluster', (): Statement => {
    g.take(K.CLUSTER);
    g.take(K.SET);
    g.phrase(PHRASE_FEATURE_LEVEL);
    const featureLevel = takePositive(g, LEVEL, 'FEATURE LEVEL must be greater than zero');
    return { kind: 'alter_cluster', featureLevel };
  });
}
