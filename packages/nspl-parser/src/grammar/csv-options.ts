import type { CsvCodecSource } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';

const K = keywords(
  'HEADER',
  'NAMES',
  'SKIP',
  'NONE',
  'DELIMITER',
  'TAB',
  'QUOTE',
  'NULL',
  'MODE',
  'STRICT',
  'LOOSE',
);

const STRING = label('string_literal');
/** Characters that end records or texts. */
const NO_SEPARATORS = '\r\n\0';

/** What stands between `FROM CSV` and `TO SCHEMA`; every option has a default. */
export function defineCsvOptions(g: GrammarHost): Rule<CsvCodecSource> {
  const header = defineHeader(g);
  const delimiter = defineDelimiter(g);
  const quote = defineQuote(g);
  return g.rule('csvOptions', (): CsvCodecSource => {
    const first = g.position;
    const headerMode = g.maybe(0, () => g.call(header)) ?? 'NONE';
    const separators = g.position;
    const delimiterCharacter = g.maybe(1, () => g.call(delimiter)) ?? ',';
    const quoteCharacter = g.maybe(2, () => g.call(quote));
    const { character } = quoteCharacter ?? { character: '"' };
    if (delimiterCharacter === character) {
      g.refuse('CSV delimiter and quote must differ', separators);
    }
    const nullToken =
      g.maybe(3, () => {
        g.take(K.NULL);
        return g.text(STRING);
      }) ?? null;
    const mode = g.maybe(4, () => {
      g.take(K.MODE);
      return g.choose<CsvCodecSource['mode']>(0, [
        { ALT: () => g.takeAs(K.STRICT, 'STRICT') },
        { ALT: () => g.takeAs(K.LOOSE, 'LOOSE') },
      ]);
    });
    return g.close(
      {
        kind: 'csv',
        header: headerMode,
        delimiter: delimiterCharacter,
        quote: character,
        nullToken,
        mode: mode ?? 'STRICT',
      },
      first,
    );
  });
}

function defineHeader(g: GrammarHost): Rule<CsvCodecSource['header']> {
  return g.rule('csvHeader', () => {
    g.take(K.HEADER);
    return g.choose<CsvCodecSource['header']>(0, [
      { ALT: () => g.takeAs(K.NAMES, 'NAMES') },
      { ALT: () => g.takeAs(K.SKIP, 'SKIP') },
      { ALT: () => g.takeAs(K.NONE, 'NONE') },
    ]);
  });
}

function defineDelimiter(g: GrammarHost): Rule<string> {
  return g.rule('csvDelimiter', () => {
    g.take(K.DELIMITER);
    return g.choose(0, [
      { ALT: () => takeSeparator(g, 'delimiter') },
      { ALT: () => g.takeAs(K.TAB, '\t') },
    ]);
  });
}

function defineQuote(g: GrammarHost): Rule<{ readonly character: string | null }> {
  return g.rule('csvQuote', () => {
    g.take(K.QUOTE);
    const character = g.choose<string | null>(0, [
      { ALT: () => takeSeparator(g, 'quote') },
      { ALT: () => g.takeAs(K.NONE, null) },
    ]);
    return { character };
  });
}

function takeSeparator(g: GrammarHost, role: 'delimiter' | 'quote'): string {
  const character = g.text(STRING);
  const isAscii = character.length === 1 && character.charCodeAt(0) < 0x80;
  if (!isAscii || NO_SEPARATORS.includes(character)) {
    g.refuse(`CSV ${role} must be one ASCII character`);
  }
  return character;
}
