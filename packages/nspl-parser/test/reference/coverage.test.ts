import { describe, expect, test } from 'vitest';
import { labelsOf } from '../../scripts/reference/errors-page.ts';
import { SHOWN_EXPRESSION_RULES } from '../../scripts/reference/expressions-page.ts';
import { headsOf } from '../../scripts/reference/narrow.ts';
import { RulePlan } from '../../scripts/reference/rule-plan.ts';
import {
  LABELS_WITH_MEANING,
  labelMeaning,
  SHARED_CLAUSES,
  STATEMENT_ENTRIES,
} from '../../src/documentation.ts';
import { describeGrammar } from '../../src/grammar.ts';

const grammar = describeGrammar();
const plan = new RulePlan(grammar);

describe('the reference and the grammar', () => {
  test('NSPL 4-7, 14: every statement of the grammar has a page', () => {
    const documented = STATEMENT_ENTRIES.flatMap(({ heads }) => heads);
    const heads = [grammar.start, grammar.serverStart].flatMap((start) =>
      headsOf(grammar.statements, start),
    );
    const isDocumented = (head: string): boolean =>
      documented.some((known) => head === known || head.startsWith(`${known} `));
    expect(heads.length).toBeGreaterThan(150);
    expect(heads.filter((head) => !isDocumented(head))).toEqual([]);
  });

  test('every page has a statement of the grammar', () => {
    const lost = plan.statements.filter(({ node }) => node === undefined);
    expect(lost.map(({ entry }) => entry.title)).toEqual([]);
  });

  test('shared clauses name rules of the grammar', () => {
    const names = SHARED_CLAUSES.flatMap(({ rules }) => rules);
    expect(names.filter((rule) => !grammar.statements.has(rule))).toEqual([]);
  });

  test('a rule that several statements show is a shared clause', () => {
    expect(plan.homeless).toEqual([]);
  });

  test('every rule of expressions is shown once', () => {
    expect([...SHOWN_EXPRESSION_RULES].sort()).toEqual([...grammar.expressions.keys()].sort());
  });

  test('NSPL 10: every label has a meaning, and no other', () => {
    const labels = labelsOf(grammar);
    expect(labels.filter((label) => labelMeaning(label) === undefined)).toEqual([]);
    // This one is reported by the reader of lists inside of ALTER, not by the grammar.
    const unused = LABELS_WITH_MEANING.filter((label) => !labels.includes(label));
    expect(unused.filter((label) => label !== 'alter_operation_separator')).toEqual([]);
  });
});

/** Refers to rules in the names of the grammar, whichever statement they belong to. */
test('a page without a statement of the grammar would be found', () => {
  const broken = { ...grammar, statements: new Map(grammar.statements) };
  broken.statements.set(grammar.start, { kind: 'rule', name: 'create' });
  const lost = new RulePlan(broken).statements.filter(({ node }) => node === undefined);
  const titles = lost.map(({ entry }) => entry.title);
  expect(titles).toContain('USE');
  expect(titles).not.toContain('CREATE JUNCTION');
});
