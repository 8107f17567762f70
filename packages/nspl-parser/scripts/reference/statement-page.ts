import { parseScript, printStatement } from '@nervix/nspl-parser';
import {
  type ClauseEntry,
  type StatementEntry,
  statementEntry,
} from '@nervix/nspl-parser/documentation';
import { shownRule } from './diagram.ts';
import { code, document, list, nspl, paragraph, table } from './markdown.ts';
import {
  clauseLink,
  clauseTitle,
  ruleDiagramPath,
  ruleLink,
  statementDiagramPath,
} from './places.ts';
import type { Owner, RulePlan } from './rule-plan.ts';

/** The page of a statement. */
export function statementPage(entry: StatementEntry, plan: RulePlan): string {
  const owner: Owner = { kind: 'statement', id: entry.id };
  const parts = plan.rulesOf(owner);
  return document([
    `# ${entry.title}`,
    paragraph(entry.summary),
    `![Syntax of ${entry.title}](${statementDiagramPath(entry.id)})`,
    references(plan, owner),
    ...(parts.length === 0 ? [] : ['## Parts', ...parts.flatMap((rule) => part(plan, rule))]),
    ...(entry.clauses.length === 0 ? [] : ['## Clauses', clauseTable(entry.clauses)]),
    ...(entry.notes.length === 0 ? [] : ['## Notes', list(entry.notes)]),
    '## Examples',
    ...entry.examples.flatMap(example),
    ...(entry.seeAlso.length === 0 ? [] : ['## See also', list(entry.seeAlso.map(link))]),
    '[All statements](README.md)',
  ]);
}

/** Heading and diagram of a rule that is shown with what uses it. */
export function part(plan: RulePlan, rule: string): readonly string[] {
  const name = shownRule(rule);
  return [`### ${name}`, `![Syntax of ${name}](${ruleDiagramPath(plan, rule)})`];
}

/** Where the rules lead that diagrams name and that are shown elsewhere. */
export function references(plan: RulePlan, owner: Owner): string {
  const own = plan.rulesOf(owner);
  const links = plan
    .referencesOf(owner)
    .filter((rule) => !own.includes(rule))
    .flatMap((rule) => {
      const target = ruleLink(plan, rule, owner);
      return target === undefined ? [] : [`[${shownRule(rule)}](${target})`];
    });
  return links.length === 0 ? '' : paragraph(`Described elsewhere: ${links.join(', ')}.`);
}

/** Clauses as a table. */
export function clauseTable(clauses: readonly ClauseEntry[]): string {
  const rows = clauses.map(({ keywords, summary, omitted, shared }) => [
    clauseHead(keywords, shared),
    shared === undefined ? summary : `${summary} [More](${clauseLink(shared)}).`,
    omitted ?? '',
  ]);
  return table(['clause', 'meaning', 'left out'], rows);
}

/** The words of a clause, or what it is called where it begins with none of its own. */
function clauseHead(keywords: readonly string[], shared: string | undefined): string {
  const phrases = keywords.filter((phrase) => phrase !== '');
  if (phrases.length > 0) return phrases.map(code).join(', ');
  return shared === undefined ? '' : clauseTitle(shared).toLowerCase();
}

function example(text: string): readonly string[] {
  const { statements } = parseScript(text);
  const canonical = statements
    .map(({ statement }) => printStatement(statement, { withSecrets: true }))
    .join('\n');
  return canonical === text ? [nspl(text)] : [nspl(text), 'Canonical form:', nspl(canonical)];
}

function link(id: string): string {
  return `[${statementEntry(id)?.title ?? id}](${id}.md)`;
}
