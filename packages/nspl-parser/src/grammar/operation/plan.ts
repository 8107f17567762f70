import type { OutputFormat, Statement } from '@nervix/model';
import type { TokenType } from 'chevrotain';
import { refuse } from '../../failure.js';
import { keyword, keywords, Semicolon } from '../../tokens.js';
import { type GrammarHost, hidden, label, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import { takeOutputFormat } from '../output-format.js';

const K = keywords('PLAN', 'APPLY', 'APPROVE', 'EVIDENCE', 'EXPLAIN', 'PLACEMENT');

const PLAN = label('ref:plan');
const EVIDENCE = label('string_literal');
const HEAD = hidden('statement');

/** First words of statements that cannot be planned, and how a refusal calls these statements. */
const OTHER_HEADS: readonly (readonly [words: string, name: string])[] = [
  ['USE', 'statement'],
  ['LIST', 'statement'],
  ['ATTACH', 'statement'],
  ['DETACH', 'statement'],
  ['BEGIN', 'statement'],
  ['REVERT', 'statement'],
  ['COMMIT', 'statement'],
  ['UPLOAD', 'UPLOAD RESOURCE'],
  ['BACKUP', 'BACKUP'],
  ['RESTORE', 'RESTORE'],
  ['CREATE SUBSCRIPTION', 'statement'],
  ['DELETE', 'statement'],
  ['DESCRIBE', 'DESCRIBE'],
  ['SHOW', 'SHOW'],
  ['LOOKUP', 'LOOKUP'],
  ['PLAN', 'statement'],
  ['EXPLAIN', 'statement'],
  ['APPLY', 'statement'],
  ['APPROVE', 'statement'],
  ['CANCEL', 'statement'],
  ['COMPENSATE', 'statement'],
  ['RESOLVE', 'statement'],
  ['DROP SECRET', 'statement'],
];

export interface PlanRules {
  readonly plan: Rule<Statement>;
  readonly explain: Rule<Statement>;
  readonly apply: Rule<Statement>;
  readonly approve: Rule<Statement>;
}

/**
 * PLAN, EXPLAIN, APPLY PLAN and APPROVE PLAN.
 *
 * @param plannable the statements that PLAN and EXPLAIN take
 */
export function definePlans(
  g: GrammarHost,
  literals: LiteralRules,
  plannable: readonly Rule<Statement>[],
): PlanRules {
  const planned = definePlanned(g, plannable);
  const plan = g.rule('plan', (): Statement => {
    g.take(K.PLAN);
    return { kind: 'plan', ...g.callWith(planned, 'PLAN') };
  });
  const apply = g.rule('applyPlan', (): Statement => {
    g.take(K.APPLY);
    g.take(K.PLAN);
    return { kind: 'apply_plan', plan: g.text(PLAN) };
  });
  const approve = g.rule('approvePlan', (): Statement => {
    g.take(K.APPROVE);
    g.take(K.PLAN);
    const approved = g.text(PLAN);
    const evidence =
      g.maybe(0, () => {
        g.take(K.EVIDENCE);
        return g.text(EVIDENCE);
      }) ?? null;
    return { kind: 'approve_plan', plan: approved, evidence };
  });
  return { plan, explain: defineExplain(g, literals, planned), apply, approve };
}

type PlanVerb = 'PLAN' | 'EXPLAIN';
interface Planned {
  readonly format: OutputFormat;
  readonly statement: Statement;
}

function definePlanned(
  g: GrammarHost,
  plannable: readonly Rule<Statement>[],
): Rule<Planned, [PlanVerb]> {
  const alternatives = [
    ...plannable.map((rule) => ({ ALT: (): Statement | string => g.call(rule) })),
    ...OTHER_HEADS.map(([words, name]) => {
      const types = words.split(' ').map(keyword);
      return { ALT: () => takeOtherHead(g, types, name) };
    }),
  ];
  return g.rule('planned', (verb: PlanVerb) => {
    const format = takeOutputFormat(g, 0);
    const first = g.position;
    const statement = g.choose(1, alternatives);
    if (typeof statement === 'string') {
      refuse(`${verb} does not apply to ${statement}`, first, g.position - 1);
    }
    return { format, statement: Object.freeze(statement) };
  });
}

/** Words that only a refusal may follow, and that are therefore not offered. */
function takeOtherHead(g: GrammarHost, types: readonly TokenType[], name: string): string {
  for (const type of types) g.take(type, HEAD);
  // No statement holds a `;`, so that no reading of the tokens goes on behind the words.
  if (g.isRecording) g.take(Semicolon, HEAD);
  return name;
}

function defineExplain(
  g: GrammarHost,
  { member }: LiteralRules,
  planned: Rule<Planned, [PlanVerb]>,
): Rule<Statement> {
  return g.rule('explain', (): Statement => {
    g.take(K.EXPLAIN);
    return g.choose<Statement>(0, [
      {
        ALT: () => {
          g.take(K.PLACEMENT);
          const subject = g.maybe(0, () => g.call(member)) ?? null;
          const format = takeOutputFormat(g, 1);
          return { kind: 'explain_placement', member: subject, format };
        },
      },
      { ALT: () => ({ kind: 'explain', ...g.callWith(planned, 'EXPLAIN') }) },
    ]);
  });
}
