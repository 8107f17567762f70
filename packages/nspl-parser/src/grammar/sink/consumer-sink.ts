import type { ConsumerSink } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { SinkModeRules } from './sink-mode.js';
import { takeMode } from './sink-parts.js';

const K = keywords('CLIENT', 'SCHEMA');
const SCHEMA = label('ref:schema');

/** `CLIENT SCHEMA name MODE …`: consumers that speak this system's own protocol. */
export function defineConsumerSink(g: GrammarHost, modes: SinkModeRules): Rule<ConsumerSink> {
  return g.rule('consumerSink', (): ConsumerSink => {
    const first = g.position;
    g.take(K.CLIENT);
    g.take(K.SCHEMA);
    const schema = g.name(SCHEMA);
    const mode = takeMode(g, modes.windowedAck);
    return g.close({ kind: 'consumers', schema, mode }, first);
  });
}
