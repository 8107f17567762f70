import { clause, type StatementEntry } from './entry.js';
import { WHERE } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Sessions and subscriptions', title, draft);

/** What a session keeps to itself: its domain, its clock, its subscriptions. */
export const SESSION_STATEMENTS: readonly StatementEntry[] = [
  entry('USE', {
    summary: 'Selects the domain that the following statements of the session apply to.',
    notes: ['The client keeps the choice; the server learns of it with each statement.'],
    examples: ['USE trips;'],
    seeAlso: ['list-domains', 'create-domain'],
  }),
  entry('LIST DOMAINS', {
    summary: 'Lists the domains that exist.',
    examples: ['LIST DOMAINS;'],
    seeAlso: ['use', 'show-cluster-status'],
  }),
  entry('DOMAIN CLOCK', {
    heads: ['ATTACH DOMAIN CLOCK', 'DETACH DOMAIN CLOCK'],
    summary:
      'Starts or ends the display of the selected domain’s logical time in the session. ' +
      'It changes nothing in the domain.',
    clauses: [clause('ATTACH', 'Follows the clock.'), clause('DETACH', 'Stops following it.')],
    notes: ['Not inside a transaction.'],
    examples: ['ATTACH DOMAIN CLOCK;', 'DETACH DOMAIN CLOCK;'],
    seeAlso: ['start', 'create-domain'],
  }),
  entry('CREATE SUBSCRIPTION', {
    summary:
      'Delivers rows of a relay to the session as they come. A subscription ends with its session ' +
      'and is no part of the domain.',
    clauses: [
      clause('TO', 'The relay to read.'),
      clause(
        'BLOCKING | DROPPING',
        '`BLOCKING` slows the relay down to the pace of the session; `DROPPING` loses and counts rows ' +
          'that the session is too slow for.',
        '`BLOCKING`',
      ),
      clause(
        'BATCH SAMPLE RATE',
        'Share of the batches to deliver, from 0.0 to 1.0.',
        'every batch',
      ),
      uses(WHERE),
    ],
    notes: [
      'Sensitive values are masked.',
      'There is no `IF NOT EXISTS`, and no place for it in a transaction.',
    ],
    examples: [
      'CREATE SUBSCRIPTION watch TO trips;',
      'CREATE SUBSCRIPTION watch TO trips DROPPING BATCH SAMPLE RATE 0.25 WHERE input.fare > 50.0;',
    ],
    seeAlso: ['delete-subscription', 'show-relay', 'create-relay'],
  }),
  entry('DELETE SUBSCRIPTION', {
    summary: 'Ends a subscription of the session.',
    examples: ['DELETE SUBSCRIPTION watch;'],
    seeAlso: ['create-subscription'],
  }),
];
