import { OUTPUT_FORMAT, STATE_LOSS } from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Transactions', title, draft);

/** Several changes of one domain as one. */
export const TRANSACTION_STATEMENTS: readonly StatementEntry[] = [
  entry('BEGIN', {
    summary:
      'Opens a transaction in the selected domain. Statements that follow are checked and queued; ' +
      'nothing takes effect before `COMMIT`.',
    notes: [
      'Models may be created, altered and dropped in any order that makes sense as a whole.',
      'Reads, users, domains and node administration cannot be queued.',
      'A transaction that nobody touches expires.',
    ],
    examples: ['BEGIN;'],
    seeAlso: ['commit', 'revert', 'describe-transaction'],
  }),
  entry('COMMIT', {
    summary:
      'Applies the queued statements of the transaction, step by step, once the complete graph has been ' +
      'found valid.',
    clauses: [
      clause(
        'EXPECT',
        'Commits only if transaction, position and planning basis are those of a preview that was looked at.',
        'the preview that the client has seen last is expected',
      ),
      clause('POSITION', 'Number of statements the preview covered.'),
      clause('BASIS', 'Planning basis of the preview: 64 lower-case hexadecimal digits.'),
      uses(STATE_LOSS),
    ],
    notes: ['A preview that no longer holds is refused and leaves the transaction open.'],
    examples: [
      'COMMIT;',
      `COMMIT EXPECT '0190a5d2-7c1e-7b3a-8f00-2f5f5c7a9e10' POSITION 3
  BASIS '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';`,
    ],
    seeAlso: ['begin', 'describe-transaction', 'revert'],
  }),
  entry('REVERT', {
    summary: 'Gives the open transaction up; none of its statements takes effect.',
    examples: ['REVERT;'],
    seeAlso: ['begin', 'commit'],
  }),
  entry('ATTACH TRANSACTION', {
    summary:
      'Binds the session to an open transaction of the same user, for example after the connection was lost.',
    notes: [
      'The client sends it as a request of its own, never as text.',
      'A transaction the session was bound to before is let go, not reverted.',
    ],
    examples: ["ATTACH TRANSACTION '0190a5d2-7c1e-7b3a-8f00-2f5f5c7a9e10';"],
    seeAlso: ['begin', 'show-transactions'],
  }),
  entry('DESCRIBE TRANSACTION', {
    summary:
      'Shows what a transaction holds, what it would do or has done, and why, for each of its operations.',
    clauses: [
      clause(
        'DESCRIBE TRANSACTION',
        'An id in quotes may follow.',
        'the transaction of the session',
      ),
      clause('OPERATION', 'Shows one operation, counted from 1.', 'all operations'),
      uses(OUTPUT_FORMAT),
    ],
    notes: [
      'It runs beside an open transaction without becoming a part of it, if it is sent alone.',
    ],
    examples: [
      'DESCRIBE TRANSACTION;',
      "DESCRIBE TRANSACTION '0190a5d2-7c1e-7b3a-8f00-2f5f5c7a9e10' OPERATION 2 FORMAT JSON;",
    ],
    seeAlso: ['show-transactions', 'commit', 'explain'],
  }),
  entry('SHOW TRANSACTIONS', {
    summary: 'Lists open transactions and those that ended not long ago.',
    examples: ['SHOW TRANSACTIONS;'],
    seeAlso: ['describe-transaction', 'attach-transaction'],
  }),
];
