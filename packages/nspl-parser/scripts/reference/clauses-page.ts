import {
  SHARED_CLAUSES,
  type SharedClause,
  STATEMENT_ENTRIES,
} from '@nervix/nspl-parser/documentation';
import { shownRule } from './diagram.ts';
import { document, list, paragraph } from './markdown.ts';
import { ruleDiagramPath } from './places.ts';
import type { RulePlan } from './rule-plan.ts';
import { clauseTable, part, references } from './statement-page.ts';

/** Statements that the use of a clause is listed for. */
const USERS_MAX = 20;

/** The page of the clauses that statements share. */
export function clausesPage(plan: RulePlan): string {
  return document([
    '# Shared clauses',
    paragraph(
      'What several statements have in common, in the order in which it stands in most of them.',
    ),
    ...SHARED_CLAUSES.flatMap((clause) => section(clause, plan)),
    '[All statements](README.md)',
  ]);
}

function section(clause: SharedClause, plan: RulePlan): readonly string[] {
  const owner = { kind: 'clause', id: clause.id } as const;
  const parts = plan.rulesOf(owner).filter((rule) => !clause.rules.includes(rule));
  const omitted = clause.omitted === undefined ? '' : ` Left out: ${clause.omitted}.`;
  return [
    `## ${clause.title}`,
    paragraph(clause.summary + omitted),
    ...clause.rules.map(
      (rule) => `![Syntax of ${shownRule(rule)}](${ruleDiagramPath(plan, rule)})`,
    ),
    ...parts.flatMap((rule) => part(plan, rule)),
    references(plan, owner),
    clause.forms.length === 0 ? '' : clauseTable(clause.forms),
    clause.notes.length === 0 ? '' : list(clause.notes),
    usage(clause),
  ];
}

function usage(clause: SharedClause): string {
  const users = STATEMENT_ENTRIES.filter(({ clauses }) =>
    clauses.some(({ shared }) => shared === clause.id),
  );
  if (users.length > USERS_MAX) return paragraph(`Used by ${users.length} statements.`);
  const links = users.map(({ id, title }) => `[${title}](${id}.md)`);
  return links.length === 0 ? '' : paragraph(`Used by ${links.join(', ')}.`);
}
