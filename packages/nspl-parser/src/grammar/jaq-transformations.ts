import type { JaqTransformations } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords('WITH', 'JAQ', 'TRANSFORMATIONS', 'ON', 'INGESTION', 'EMITTING', 'BATCH');

const PROGRAM = label('jaq_program');

type EmittingPrograms = Pick<JaqTransformations, 'onEmitting' | 'onEmittingBatch'>;
const NO_EMITTING: EmittingPrograms = { onEmitting: null, onEmittingBatch: null };

/** `WITH JAQ TRANSFORMATIONS [ON INGESTION …] [ON EMITTING … [ON EMITTING BATCH …]]`. */
export function defineJaqTransformations(g: GrammarHost): Rule<JaqTransformations> {
  const emitting = g.rule('jaqEmitting', (): EmittingPrograms => {
    g.take(K.ON);
    g.take(K.EMITTING);
    const onEmitting = g.text(PROGRAM);
    const onEmittingBatch =
      g.maybe(0, () => {
        g.take(K.ON);
        g.take(K.EMITTING);
        g.take(K.BATCH);
        return g.text(PROGRAM);
      }) ?? null;
    return { onEmitting, onEmittingBatch };
  });
  return g.rule('jaqTransformations', (): JaqTransformations => {
    const first = g.position;
    g.take(K.WITH);
    g.take(K.JAQ);
    g.take(K.TRANSFORMATIONS);
    const programs = g.choose<JaqTransformations>(0, [
      {
        ALT: () => {
          g.take(K.ON);
          g.take(K.INGESTION);
          const onIngestion = g.text(PROGRAM);
          return { onIngestion, ...(g.maybe(0, () => g.call(emitting)) ?? NO_EMITTING) };
        },
      },
      { ALT: () => ({ onIngestion: null, ...g.call(emitting) }) },
    ]);
    return g.close(programs, first);
  });
}
