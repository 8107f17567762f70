import { describeGrammar } from '@nervix/nspl-parser/grammar';
import { clausesPage } from './clauses-page.ts';
import { shownRule } from './diagram.ts';
import { errorsPage } from './errors-page.ts';
import { expressionsPage, SHOWN_EXPRESSION_RULES } from './expressions-page.ts';
import { functionsPage } from './functions-page.ts';
import { indexPage } from './index-page.ts';
import { lexicalPage } from './lexical-page.ts';
import { diagramLink, ruleDiagramPath, statementDiagramPath } from './places.ts';
import { RulePlan } from './rule-plan.ts';
import { statementPage } from './statement-page.ts';
import { drawDiagram } from './svg.ts';

/** The files of the reference by their paths below its folder. */
export type ReferenceFiles = ReadonlyMap<string, string>;

/** Writes the whole reference. The same grammar and documentation give the same bytes. */
export function renderReference(): ReferenceFiles {
  const grammar = describeGrammar();
  const plan = new RulePlan(grammar);
  const files = new Map<string, string>();
  for (const { entry, node } of plan.statements) {
    files.set(`${entry.id}.md`, statementPage(entry, plan));
    if (node === undefined) continue;
    const file = statementDiagramPath(entry.id);
    files.set(
      file,
      drawDiagram(entry.title, node, (rule) => diagramLink(plan, file, rule)),
    );
  }
  const statementRules = [...grammar.statements.keys()].filter((rule) => plan.ownerOf(rule));
  const shownRules = [...statementRules, ...SHOWN_EXPRESSION_RULES];
  for (const rule of shownRules) {
    const file = ruleDiagramPath(plan, rule);
    const link = (other: string): string | undefined => diagramLink(plan, file, other);
    files.set(file, drawDiagram(shownRule(rule), plan.shown(rule), link));
  }
  files.set('clauses.md', clausesPage(plan));
  files.set('expressions.md', expressionsPage(plan));
  files.set('functions.md', functionsPage());
  files.set('lexical.md', lexicalPage());
  files.set('errors.md', errorsPage(grammar));
  files.set('README.md', indexPage());
  return files;
}
