import type { HttpSink } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { ExpressionSlot, NO_EXPRESSION } from '../expression.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { SinkModeRules } from './sink-mode.js';
import { CLIENT, takeMode } from './sink-parts.js';

const K = keywords('HTTP', 'METHOD', 'PATH');
const STRING_EXPRESSION = label('string_expression');

/** `HTTP client METHOD … PATH … MODE …`, without what makes the body. */
export function defineHttpSink(g: GrammarHost, modes: SinkModeRules): Rule<HttpSink> {
  return g.rule('httpSink', (): HttpSink => {
    const first = g.position;
    g.take(K.HTTP);
    const client = g.name(CLIENT);
    g.take(K.METHOD);
    const method = g.slot(ExpressionSlot, STRING_EXPRESSION, NO_EXPRESSION);
    g.take(K.PATH);
    const path = g.slot(ExpressionSlot, STRING_EXPRESSION, NO_EXPRESSION);
    const mode = takeMode(g, modes.ack);
    return g.close({ kind: 'http', client, method, path, mode }, first);
  });
}
