import { keywords } from '../../tokens.js';
import type { AcknowledgementRules } from '../acknowledgement.js';
import { type GrammarHost, type Label, label, type Rule } from '../grammar-host.js';
import { type LiteralRules, takePositive } from '../literals.js';
import { defineQuiesce, type QuiesceRules } from './quiesce.js';
import { defineSourceModes, type SourceModeRules } from './source-mode.js';

const K = keywords('INSTANCES');
const INSTANCE_COUNT = label('instance_count');

/** A client that a source reads through. */
export const CLIENT: Label = label('ref:client');

/** Clauses that sources of several kinds have. */
export interface SourcePartRules {
  readonly literals: LiteralRules;
  readonly modes: SourceModeRules;
  readonly quiesce: QuiesceRules;
  /** `INSTANCES n`, 1 when it is left out. */
  readonly instances: Rule<string>;
}

export function defineSourceParts(
  g: GrammarHost,
  literals: LiteralRules,
  acknowledgement: AcknowledgementRules,
): SourcePartRules {
  const modes = defineSourceModes(g, literals, acknowledgement);
  const quiesce = defineQuiesce(g, literals);
  const instances = g.rule('instances', () => g.maybe(0, () => takeInstances(g)) ?? '1');
  return { literals, modes, quiesce, instances };
}

/** `INSTANCES n`. */
export function takeInstances(g: GrammarHost): string {
  g.take(K.INSTANCES);
  return takePositive(g, INSTANCE_COUNT, 'instances must be greater than 0');
}
