import { type OutputFormat, type Statement, statementKindLabel } from '@nervix/model';
import type { TokenType } from 'chevrotain';
import { refuse } from '../../failure.js';
import { keyword, keywords } from '../../tokens.js';
import { type GrammarHost, hidden, label, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import { takeOutputFormat } from '../output-format.js';

const K = keywords('PLAN', 'APPLY', 'APPROVE', 'EVIDENCE', 'EXPLAIN', 'PLACEMENT');

const PLAN = label('ref:plan');
const EVIDENCE = label('string_literal');
const HEAD = hidden('statement');

type UnplannableKind = Parameters<typeof statementKindLabel>[0];

/** First words of statements that cannot be planned, with the kind of one that begins so. */
const OTHER_HEADS: readonly (readonly [words: string, kind: UnplannableKind])[] = [
  ['USE', 'use'],
  ['LIST', 'list_domains'],
  ['ATTACH', 'attach_transaction'],
  ['DETACH', 'detach_domain_clock'],
  ['BEGIN', 'begin'],
  ['REVERT', 'revert'],
  ['COMMIT', 'commit'],
  ['UPLOAD', 'upload_resource'],
  ['BACKUP', 'backup'],
  ['RESTORE', 'restore'],
  ['CREATE SUBSCRIPTION', 'create_subscription'],
  ['DELETE', 'delete_subscription'],
  ['DESCRIBE', 'describe_domain'],
  ['SHOW', 'show_udfs'],
  ['LOOKUP', 'lookup'],
  ['PLAN', 'plan'],
  ['EXPLAIN', 'explain'],
  ['APPLY', 'apply_plan'],
  ['APPROVE', 'approve_plan'],
  ['CANCEL', 'cancel_operation'],
  ['COMPENSATE', 'compensate_operation'],
  ['RESOLVE', 'resolve_operation'],
  ['DROP SECRET', 'drop_secret'],
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
    ...OTHER_HEADS.map(([words, kind]) => {
      const types = words.split(' ').map(keyword);
      return { ALT: () => takeOtherHead(g, types, statementKindLabel(kind)) };
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
