import {
  BUILTIN_FUNCTIONS,
  type BuiltinFunction,
  type FunctionFamily,
  printSignatures,
  WINDOW_AGGREGATES,
} from '@nervix/model';
import { code, document, list, paragraph, table } from './markdown.ts';

const HEADINGS: Readonly<Record<FunctionFamily, string>> = {
  nulls: 'Nulls, extrema, identity and time',
  text: 'Text',
  pattern: 'Patterns',
  bytes: 'Bytes',
  network: 'Addresses and URLs',
  number: 'Numbers',
  context: 'Headers and hash maps',
  datetime: 'Dates and times',
  list: 'Lists',
  aggregate: 'Windows',
};

/** The page of all functions, one table a family. */
export function functionsPage(): string {
  const functions = [...BUILTIN_FUNCTIONS.values(), ...WINDOW_AGGREGATES.values()];
  const families = Object.entries(HEADINGS).flatMap(([family, heading]) => [
    `## ${heading}`,
    table(
      ['function', 'result', 'can fail with'],
      functions.filter((each) => each.family === family).map(row),
    ),
  ]);
  return document([
    '# Functions',
    paragraph('Letter case of names makes no difference.'),
    list([
      'Arguments have exactly the types that are shown: nothing is converted by itself. `T` is one ' +
        'type for all arguments that say so.',
      'A null argument gives null, except where the result says otherwise. A result may be null when ' +
        'an argument may be; `OPTIONAL` marks results that always may.',
      'What says `literal` is written out and read when the statement is applied.',
      'A failing row does not stop the others: see `ON MESSAGE ERROR`.',
      'Which functions a place allows is checked with the whole graph. In routes of windows, names ' +
        'of both kinds mean the one over the rows of the window.',
    ]),
    ...families,
    '[Expressions](expressions.md) · [All statements](README.md)',
  ]);
}

function row(definition: BuiltinFunction): readonly string[] {
  const { aliases, summary, signatures } = definition;
  const also = aliases.length === 0 ? '' : ` Also written ${aliases.map(code).join(', ')}.`;
  const failures = signatures.flatMap((signature) => signature.failures.map(({ kind }) => kind));
  return [
    printSignatures(definition).map(code).join('<br>'),
    `${summary}${also}`,
    [...new Set(failures)].map(code).join(', '),
  ];
}
