import { PLACEMENT_POLICY, STATE_LOSS } from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Domains', title, draft);

/** Domains: their time, their start and stop, their end. */
export const DOMAIN_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE DOMAIN', {
    heads: ['CREATE DOMAIN', 'CREATE PACED DOMAIN', 'CREATE UNPACED DOMAIN'],
    summary:
      'Creates an empty, stopped domain: a graph of its own with its own models, resources and clock.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause(
        'PACED | UNPACED',
        'A paced domain has a logical clock that ticks and can run faster or slower than real time; an ' +
          'unpaced one follows UTC.',
        '`UNPACED`',
      ),
      clause('WITH PERIOD', 'Time between two ticks of a paced domain. Above zero.'),
      clause('SKEW', 'How far from a tick a record’s time may be to be taken. May be `0s`.'),
      clause(
        'PLACEMENT',
        'Policy for neighbours in the graph that no placement covers.',
        '`NEUTRAL`',
      ),
      { ...uses(PLACEMENT_POLICY), omitted: '`NEUTRAL`' },
    ],
    notes: [
      'Period and skew are stored in nanoseconds and print in the largest unit that divides them.',
      'Names of domains hold no dot.',
    ],
    examples: [
      'CREATE DOMAIN trips;',
      `CREATE IF NOT EXISTS PACED DOMAIN replay WITH PERIOD 1s SKEW 250ms
  PLACEMENT PREFER COLOCATION;`,
    ],
    seeAlso: ['use', 'start', 'alter-domain', 'drop-domain', 'create-placement'],
  }),
  entry('ALTER DOMAIN', {
    heads: ['ALTER DOMAIN SET'],
    summary: 'Changes a property of the selected domain as a whole.',
    clauses: [
      clause('SET PLACEMENT', 'Policy for neighbours in the graph that no placement covers.'),
      clause('SET CLASS', 'What the domain is for, such as `dev`, `test`, `stage` or `prod`.'),
      clause(
        'SET ON OWNER LOSS',
        'What happens to work whose node is lost: `RECOVER` goes on with what is left of its state, ' +
          '`HOLD` waits for someone to decide unless nothing is lost.',
      ),
    ],
    notes: ['Only `SET PLACEMENT` can be queued in a transaction.'],
    examples: [
      'ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION;',
      'ALTER DOMAIN SET CLASS prod;',
      'ALTER DOMAIN SET ON OWNER LOSS HOLD;',
    ],
    seeAlso: ['create-domain', 'describe-domain', 'create-placement', 'promote-domain'],
  }),
  entry('DROP DOMAIN', {
    summary:
      'Removes a stopped domain for good. A new one of the same name begins with nothing. An open ' +
      'transaction of the domain keeps it, with CASCADE too: commit or revert that first.',
    clauses: [
      clause(
        'CASCADE',
        'Removes its models, resources, secrets and retained state along with it.',
        'a domain that still holds something is refused',
      ),
    ],
    examples: ['DROP DOMAIN trips;', 'DROP DOMAIN trips CASCADE;'],
    seeAlso: ['stop', 'create-domain', 'backup'],
  }),
  entry('PROMOTE DOMAIN', {
    summary:
      'Carries the released artifacts of one domain over to another, by the same digests and through the ' +
      'checks of the second.',
    clauses: [clause('TO', 'The domain that receives them.'), uses(STATE_LOSS)],
    examples: ['PROMOTE DOMAIN stage TO prod;'],
    seeAlso: ['alter-domain', 'plan'],
  }),
  entry('START', {
    summary:
      'Starts the selected domain: sources open, timers run. The answer comes when everything is ready.',
    clauses: [
      clause(
        'AT',
        'Begins logical time anew at this instant: `NOW` or an RFC 3339 time in quotes.',
        'the domain goes on where it was stopped',
      ),
      clause('TIME RATE', 'Seconds of logical time in a second of real time.', '1.0'),
    ],
    notes: ['`START AT` also puts offsets that the domain itself keeps back to that time.'],
    examples: ['START;', "START AT '2026-03-01T00:00:00Z' TIME RATE 60.0;"],
    seeAlso: ['stop', 'create-domain', 'describe-domain'],
  }),
  entry('STOP', {
    summary:
      'Stops the selected domain. Sources and listeners close, records in flight go back to their ' +
      'sources, state is kept.',
    examples: ['STOP;'],
    seeAlso: ['start', 'drop-domain'],
  }),
  entry('DESCRIBE DOMAIN', {
    summary: 'Shows status, pace, clock and placement policy of the selected domain.',
    examples: ['DESCRIBE DOMAIN;'],
    seeAlso: ['show-cluster-status', 'alter-domain'],
  }),
];
