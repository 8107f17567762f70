import { canonicalName, nameDefect } from '@nervix/model';
import { nameOf } from '../names.js';
import {
  Dot,
  ExternalName,
  IntegerText,
  keywords,
  Minus,
  StringToken,
  stringValue,
} from '../tokens.js';
import { type GrammarHost, type Label, label, type Rule } from './grammar-host.js';

const K = keywords('FIFO');
const QUEUE = label('queue_name');

/**
 * The name of a thing in another system: a word, in the form of a name, or a string as it is.
 *
 * @param option slot label, which a refusal of the word names
 */
export function takeExternalName(g: GrammarHost, option: Label): string {
  const token = g.take(ExternalName, option);
  if (g.isRecording) return '';
  if (token.tokenTypeIdx === StringToken.tokenTypeIdx) return stringValue(token);
  return nameOf(token, option.LABEL, g.position - 1);
}

/** A queue name to send to, which may hold `-` and end in `.fifo` without quotes. */
export function defineQueueToSend(g: GrammarHost): Rule<string> {
  const bareName = g.rule('bareQueueName', (): string => {
    const first = g.position;
    let name = g.take(IntegerText, QUEUE).image;
    g.repeat(0, () => {
      g.take(Minus);
      name += `-${g.take(IntegerText, QUEUE).image}`;
    });
    g.maybe(0, () => {
      g.take(Dot);
      g.take(K.FIFO);
      name += '.fifo';
    });
    if (g.isRecording) return '';
    const defect = nameDefect(name);
    if (defect !== undefined) g.refuse(`invalid ${QUEUE.LABEL}: ${defect}`, first);
    return canonicalName(name);
  });
  return g.rule('queueToSend', () =>
    g.choose(0, [{ ALT: () => g.call(bareName) }, { ALT: () => g.text(QUEUE) }]),
  );
}
