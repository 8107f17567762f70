import { SHARED_CLAUSES } from '@nervix/nspl-parser/documentation';
import { shownRule } from './diagram.ts';
import { anchor } from './markdown.ts';
import type { Owner, RulePlan } from './rule-plan.ts';

const kebab = (rule: string): string => shownRule(rule).replaceAll(' ', '-');

/** Path of the diagram of a statement, below the folder of the reference. */
export function statementDiagramPath(id: string): string {
  return `diagrams/${id}.svg`;
}

/** Path of the diagram of a rule, below the folder of the reference. */
export function ruleDiagramPath(plan: RulePlan, rule: string): string {
  const folder = plan.isExpressionRule(rule) ? 'expressions' : 'rules';
  return `diagrams/${folder}/${kebab(rule)}.svg`;
}

/** Address of a diagram as seen from another one. */
export function diagramLink(plan: RulePlan, from: string, rule: string): string | undefined {
  if (!plan.isExpressionRule(rule) && plan.ownerOf(rule) === undefined) return undefined;
  const target = ruleDiagramPath(plan, rule).split('/').slice(1);
  const source = from.split('/').slice(1);
  const isSameFolder = source.length === 2 && source[0] === target[0];
  if (isSameFolder) return target[1];
  return `${source.length === 2 ? '../' : ''}${target.join('/')}`;
}

/** Page and anchor of a shared clause. */
export function clauseLink(id: string): string {
  return `clauses.md#${anchor(clauseTitle(id))}`;
}

/** Title of a shared clause. */
export function clauseTitle(id: string): string {
  return SHARED_CLAUSES.find((clause) => clause.id === id)?.title ?? id;
}

/** Page and anchor where a rule is shown; undefined for whole statements. */
export function ruleLink(
  plan: RulePlan,
  rule: string,
  page: Owner | undefined,
): string | undefined {
  if (plan.isExpressionRule(rule)) return `expressions.md#${anchor(shownRule(rule))}`;
  const owner = plan.ownerOf(rule);
  if (owner === undefined) return undefined;
  if (owner.kind === 'clause') return clauseLink(owner.id);
  const isHere = page?.kind === 'statement' && page.id === owner.id;
  return `${isHere ? '' : `${owner.id}.md`}#${anchor(shownRule(rule))}`;
}
