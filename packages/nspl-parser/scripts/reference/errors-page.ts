import { parseScript, renderDiagnostic } from '@nervix/nspl-parser';
import { DIAGNOSTIC_MEANINGS, labelMeaning } from '@nervix/nspl-parser/documentation';
import { type GrammarDescription, type GrammarNode, partsOf } from '@nervix/nspl-parser/grammar';
import { code, document, list, paragraph, table } from './markdown.ts';

/** Texts that are refused, one for each code that a text on a page can have. */
const REFUSED: readonly string[] = [
  "CREATE USER ada WITH PASSWORD 'secret",
  'CREATE RELAY trips SCHEMA trip CAPACITY 4;',
  'CREATE RELAY message SCHEMA trip UNBRANCHED;',
];

/** Labels that only expressions report. */
const EXPRESSION_LABELS = ['expression', 'identifier', 'json_path'] as const;

/** The page of what the parser says. */
export function errorsPage(grammar: GrammarDescription): string {
  return document([
    '# Diagnostics',
    paragraph(
      'A text that cannot be read gives diagnostics: a code, a message, and the range of bytes it is about. ' +
        'How they look on a terminal:',
    ),
    ...REFUSED.map(rendered),
    '## Codes',
    table(
      ['code', 'meaning'],
      Object.entries(DIAGNOSTIC_MEANINGS).map(([name, meaning]) => [code(name), meaning]),
    ),
    paragraph('Codes of the other packages: [error codes](../reference/errors.md).'),
    '## What was expected',
    list([
      '`expected A | B, found X` names everything that could have stood at the furthest place that any reading ' +
        'of the text reached.',
      'Keywords and punctuation stand for themselves; keywords that belong together, such as `FLUSH EACH`, are ' +
        'one item.',
      'Other items are labels, listed below.',
      'Behind `found` stands a word, a number, a string in double quotes, punctuation or `end of input`.',
      'A message that is not of this form says why something that the grammar has is refused.',
    ]),
    '## Labels',
    table(
      ['label', 'stands for'],
      labelsOf(grammar).map((label) => [code(label), labelMeaning(label) ?? '']),
    ),
    '[All statements](README.md)',
  ]);
}

/** Every label that a message may have, sorted. */
export function labelsOf({ statements }: GrammarDescription): readonly string[] {
  const labels = new Set<string>(EXPRESSION_LABELS);
  const visit = (node: GrammarNode): void => {
    if (node.kind === 'value') labels.add(node.label);
    if (node.kind === 'rule' && node.label !== undefined) labels.add(node.label);
    partsOf(node).forEach(visit);
  };
  [...statements.values()].forEach(visit);
  return [...labels].sort();
}

function rendered(text: string): string {
  const { errors } = parseScript(text);
  const shown = errors.map((error) => renderDiagnostic(text, error)).join('\n');
  return `\`\`\`text\n${shown}\n\`\`\``;
}
