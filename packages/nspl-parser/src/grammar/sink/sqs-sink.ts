import type { FifoGroup, SqsSink } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { ExpressionSlot, NO_EXPRESSION } from '../expression.js';
import { defineQueueToSend } from '../external-name.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import type { SinkModeRules } from './sink-mode.js';
import { CLIENT, takeMode } from './sink-parts.js';

const K = keywords('SQS', 'QUEUE', 'FROM');
const PHRASE_FIFO_GROUP = phraseOf('FIFO GROUP');
const PHRASE_FROM_BRANCH = phraseOf('FROM BRANCH');
const GROUP_EXPRESSION = label('fifo_group_expression');
const BRANCH: FifoGroup = Object.freeze({ kind: 'branch' });

/** `SQS client QUEUE name [FIFO GROUP …] MODE …`. */
export function defineSqsSink(g: GrammarHost, modes: SinkModeRules): Rule<SqsSink> {
  const queueToSend = defineQueueToSend(g);
  const fifoGroup = defineFifoGroup(g);
  return g.rule('sqsSink', (): SqsSink => {
    const first = g.position;
    g.take(K.SQS);
    const client = g.name(CLIENT);
    g.take(K.QUEUE);
    const queue = g.call(queueToSend);
    const group = g.maybe(0, () => g.call(fifoGroup)) ?? null;
    const mode = takeMode(g, modes.sqs);
    return g.close({ kind: 'sqs', client, queue, fifoGroup: group, mode }, first);
  });
}

function defineFifoGroup(g: GrammarHost): Rule<FifoGroup> {
  const takeBranch = (): FifoGroup => {
    g.phrase(PHRASE_FROM_BRANCH);
    return BRANCH;
  };
  const takeExpression = (): FifoGroup => {
    const value = g.slot(ExpressionSlot, GROUP_EXPRESSION, NO_EXPRESSION);
    return Object.freeze({ kind: 'expression', value });
  };
  return g.rule('fifoGroup', () => {
    g.phrase(PHRASE_FIFO_GROUP);
    if (g.isRecording)
      return g.choose<FifoGroup>(0, [{ ALT: takeBranch }, { ALT: takeExpression }]);
    // An expression begins with whatever its reader makes of it, but never with FROM.
    return g.isAt(K.FROM) ? takeBranch() : takeExpression();
  });
}
