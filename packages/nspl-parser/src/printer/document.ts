import type { Model } from '@nervix/model';
import type { PrintOptions } from './model.js';
import { printStatement } from './statement.js';

/**
 * The script that creates models in the order given: their CREATE statements with a blank line
 * between each two, and a line end behind the last. Of no models it is empty.
 */
export function printDocument(models: Iterable<Model>, options: PrintOptions = {}): string {
  const texts = Array.from(models, (model) =>
    printStatement({ kind: 'create_model', ifNotExists: false, model }, options),
  );
  return texts.length === 0 ? '' : `${texts.join('\n\n')}\n`;
}
