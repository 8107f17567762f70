import { FAMILIES, STATEMENT_ENTRIES } from '@nervix/nspl-parser/documentation';
import { document, paragraph, table } from './markdown.ts';

/** The page that lists every statement by family. */
export function indexPage(): string {
  return document([
    '# NSPL reference',
    paragraph(
      'NSPL is the language in which streams are declared, changed, watched and administered. ' +
        'Every statement has a page with its syntax as a diagram, its clauses, and examples beside ' +
        'their canonical form.',
    ),
    table(
      ['page', 'what it holds'],
      [
        ['[Lexical structure](lexical.md)', 'words, literals, names, scripts'],
        ['[Expressions](expressions.md)', 'operators, conversions, scopes, constructions'],
        ['[Functions](functions.md)', 'every function with its arguments and failures'],
        ['[Shared clauses](clauses.md)', 'clauses that several statements have in common'],
        ['[Diagnostics](errors.md)', 'what the parser says and how to read it'],
      ],
    ),
    paragraph(
      'In the diagrams, rounded boxes are keywords and punctuation, square ones lead to another ' +
        'diagram, and the others stand for values. These pages are generated: `npm run -s docs:nspl`.',
    ),
    ...FAMILIES.flatMap((family) => [
      `## ${family}`,
      table(
        ['statement', 'what it is for'],
        STATEMENT_ENTRIES.filter((entry) => entry.family === family).map((entry) => [
          `[${entry.title}](${entry.id}.md)`,
          entry.summary,
        ]),
      ),
    ]),
  ]);
}
