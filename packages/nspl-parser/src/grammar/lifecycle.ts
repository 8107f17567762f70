import type { StartInstant, Statement } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { IntegerText, keywords, StringToken, stringValue, Word } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';

const K = keywords('START', 'STOP', 'AT', 'NOW');
const PHRASE_TIME_RATE = phraseOf('TIME RATE');

const TIMESTAMP = label('timestamp');
const TIME_RATE = label('time_rate');

/** START and STOP. */
export function defineLifecycle(g: GrammarHost): Rule<Statement>[] {
  const instant = defineInstant(g);
  const start = g.rule('start', (): Statement => {
    g.take(K.START);
    return { kind: 'start', at: g.maybe(0, () => g.call(instant)) ?? null };
  });
  const stop = g.rule('stop', (): Statement => {
    g.take(K.STOP);
    return { kind: 'stop' };
  });
  return [start, stop];
}

function defineInstant(g: GrammarHost): Rule<StartInstant> {
  return g.rule('startInstant', (): StartInstant => {
    g.take(K.AT);
    const instant = g.choose<string | null>(0, [
      { ALT: () => g.takeAs(K.NOW, null) },
      { ALT: () => stringValue(g.take(StringToken, TIMESTAMP)) },
      { ALT: () => g.take(Word, TIMESTAMP).image, IGNORE_AMBIGUITIES: true },
    ]);
    const timeRate =
      g.maybe(0, () => {
        g.phrase(PHRASE_TIME_RATE);
        return readTimeRate(g, g.take(IntegerText, TIME_RATE).image);
      }) ?? 1;
    return Object.freeze({ instant, timeRate });
  });
}

function readTimeRate(g: GrammarHost, raw: string): number {
  if (g.isRecording) return 1;
  const rate = Number(raw);
  if (Number.isNaN(rate)) g.refuse(`invalid time rate '${cutText(raw)}': it is not a number`);
  if (!Number.isFinite(rate)) g.refuse(`invalid time rate '${cutText(raw)}': it is not finite`);
  if (rate <= 0) g.refuse(`invalid time rate '${cutText(raw)}': it must be greater than zero`);
  return rate;
}
