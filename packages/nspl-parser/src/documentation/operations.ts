import {
  GRAPH_MEMBER,
  LIMIT,
  OUTPUT_FORMAT,
  ROW_FILTER,
  STATE_LOSS,
} from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Plans and operations', title, draft);

const PLAN_ID = "'0190a5d2-7c1e-7b3a-8f00-2f5f5c7a9e10'";

/** What will be done, what is being done and what was done. */
export const OPERATION_STATEMENTS: readonly StatementEntry[] = [
  entry('PLAN', {
    summary:
      'Works out what one changing statement would do and stores that as a plan, which can be approved ' +
      'and applied later. Nothing is changed.',
    clauses: [uses(OUTPUT_FORMAT)],
    notes: [
      'The statement inside takes neither `ACCEPT STATE LOSS` nor `WAIT`.',
      'For several statements, an open transaction is the plan.',
      'A plan expires, and is refused when anything it was based on has changed.',
    ],
    examples: ['PLAN DROP RELAY trips;', 'PLAN FORMAT JSON ALTER RELAY trips SET CAPACITY 64;'],
    seeAlso: ['apply-plan', 'approve-plan', 'explain', 'begin'],
  }),
  entry('APPLY PLAN', {
    summary: 'Carries out exactly the plan that was stored, or refuses if it no longer holds.',
    clauses: [uses(STATE_LOSS)],
    examples: [`APPLY PLAN ${PLAN_ID};`, `APPLY PLAN ${PLAN_ID} ACCEPT STATE LOSS WAIT 30s;`],
    seeAlso: ['plan', 'approve-plan'],
  }),
  entry('APPROVE PLAN', {
    summary:
      'Records the approval of a plan where a policy asks for one. Nobody approves a plan of their own.',
    clauses: [clause('EVIDENCE', 'What the approval rests on.', 'nothing is recorded')],
    examples: [
      `APPROVE PLAN ${PLAN_ID};`,
      `APPROVE PLAN ${PLAN_ID} EVIDENCE 'reviewed with the team';`,
    ],
    seeAlso: ['plan', 'apply-plan', 'create-policy'],
  }),
  entry('EXPLAIN', {
    summary: 'Shows what one changing statement would do, and stores nothing.',
    clauses: [uses(OUTPUT_FORMAT)],
    notes: ['What was explained is not bound to what is run later; use `PLAN` for that.'],
    examples: [
      'EXPLAIN DROP RELAY trips;',
      `EXPLAIN FORMAT JSON CREATE JUNCTION copy FROM trips UNBRANCHED
  TO archive INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
    ],
    seeAlso: ['plan', 'explain-placement', 'describe-transaction'],
  }),
  entry('SHOW OPERATIONS', {
    summary:
      'Lists operations: what changed or is changing the cluster, by whom, and how it ended.',
    clauses: [uses(ROW_FILTER), uses(LIMIT), uses(OUTPUT_FORMAT)],
    examples: [
      'SHOW OPERATIONS;',
      "SHOW OPERATIONS WHERE (state = 'failed', domain = 'trips') LIMIT 20 FORMAT JSON;",
    ],
    seeAlso: ['describe-operation', 'show-audit'],
  }),
  entry('DESCRIBE OPERATION', {
    summary: 'Shows one operation: its steps, their effects and receipts, and what it waits for.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: [`DESCRIBE OPERATION ${PLAN_ID};`, `DESCRIBE OPERATION ${PLAN_ID} FORMAT JSON;`],
    seeAlso: ['show-operations', 'cancel-operation'],
  }),
  entry('CANCEL OPERATION', {
    summary:
      'Asks an operation to stop. Before its first effect it ends at once; later its current step is ' +
      'finished and no further one begins.',
    examples: [`CANCEL OPERATION ${PLAN_ID};`],
    seeAlso: ['compensate-operation', 'describe-operation'],
  }),
  entry('COMPENSATE OPERATION', {
    summary: 'Begins a new operation that undoes what can be undone of a finished one.',
    notes: ['Refused while it is not known how an effect ended.'],
    examples: [`COMPENSATE OPERATION ${PLAN_ID};`],
    seeAlso: ['cancel-operation', 'resolve-operation'],
  }),
  entry('RESOLVE OPERATION', {
    summary: 'States how a step ended whose outcome the cluster cannot find out by itself.',
    clauses: [
      clause('STEP', 'The step, counted from 1.'),
      clause('AS', '`APPLIED` or `NOT APPLIED`.'),
      clause('EVIDENCE', 'How that is known; goes into the record.'),
    ],
    examples: [
      `RESOLVE OPERATION ${PLAN_ID} STEP 2 AS NOT APPLIED EVIDENCE 'broker log shows no write';`,
    ],
    seeAlso: ['describe-operation', 'compensate-operation'],
  }),
  entry('DESCRIBE REVISIONS', {
    heads: ['DESCRIBE REVISIONS OF'],
    summary:
      'Shows which revision of something is wanted, which was let in and which was seen to run, with how ' +
      'fresh that is.',
    clauses: [
      clause('OF DOMAIN', 'A domain.'),
      clause('OF NODE', 'A cluster node.'),
      clause('OF POOL', 'A pool.'),
      uses(GRAPH_MEMBER),
      uses(OUTPUT_FORMAT),
    ],
    examples: [
      'DESCRIBE REVISIONS OF DOMAIN trips;',
      'DESCRIBE REVISIONS OF JUNCTION split_trips FORMAT JSON;',
    ],
    seeAlso: ['show-operations', 'explain-placement'],
  }),
];
