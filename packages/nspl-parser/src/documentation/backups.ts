import { OUTPUT_FORMAT, STATE_LOSS } from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Backup and restore', title, draft);

/** Archives of domains and of the whole cluster. */
export const BACKUP_STATEMENTS: readonly StatementEntry[] = [
  entry('BACKUP', {
    summary:
      'Writes a domain or the whole cluster to an archive on the machine of the client: models, resources ' +
      'and state at one point in time.',
    clauses: [
      clause('CLUSTER', 'Every domain and the users.'),
      clause('DOMAIN', 'One domain; its name may be left out.', 'the selected domain'),
      clause('TO', 'The local file, in quotes.'),
      clause('WITHOUT RESOURCES', 'Leaves the files of resources out.', 'they are included'),
      clause('WITHOUT STATE', 'Takes the models only; nothing is paused.', 'state is included'),
      clause(
        'WITHOUT PAUSE',
        'Takes state as it happens to be, without bringing the domain to rest.',
        'the domain rests for a moment',
      ),
      clause('TIMEOUT', 'How long to wait for that rest.', 'the default time'),
    ],
    notes: [
      'At most one of `WITHOUT STATE`, `WITHOUT PAUSE` and `TIMEOUT`.',
      'Nodes know the statement without `TO` and with the domain named; the client turns one into the other.',
    ],
    examples: [
      "BACKUP DOMAIN TO 'trips.nvx';",
      "BACKUP DOMAIN trips TO 'trips.nvx' WITHOUT RESOURCES TIMEOUT 90s;",
      "BACKUP CLUSTER TO 'cluster.nvx' WITHOUT PAUSE;",
    ],
    seeAlso: ['restore', 'describe-backup'],
  }),
  entry('RESTORE', {
    summary: 'Creates domains from an archive. What exists already is not touched.',
    clauses: [
      clause('CLUSTER', 'Everything in the archive.'),
      clause('DOMAIN', 'One domain of the archive.'),
      clause('AS', 'Another name for it.', 'its name in the archive'),
      clause('FROM', 'The local file, in quotes.'),
      clause('RESUME', 'Starts domains that were running.', 'restored domains stay stopped'),
      clause(
        'ON EXISTING USER',
        'What to do with users that exist: `FAIL`, `SKIP` them, or `REPLACE` their passwords.',
        '`FAIL`',
      ),
      clause('DRY RUN', 'Checks everything and creates nothing.', 'it is done'),
      clause('WITHOUT STATE', 'Takes the models only.', 'state is restored'),
      clause(
        'WITHOUT SOURCE OFFSETS',
        'Takes state, but not how far sources were read.',
        'they are restored',
      ),
      uses(STATE_LOSS),
    ],
    notes: ['`AS` is for one domain, `ON EXISTING USER` for the whole cluster.'],
    examples: [
      "RESTORE DOMAIN trips FROM 'trips.nvx';",
      "RESTORE DOMAIN trips AS trips_copy FROM 'trips.nvx' RESUME DRY RUN WITHOUT SOURCE OFFSETS;",
      "RESTORE CLUSTER FROM 'cluster.nvx' RESUME ON EXISTING USER SKIP WITHOUT STATE;",
    ],
    seeAlso: ['backup', 'describe-backup'],
  }),
  entry('DESCRIBE BACKUP', {
    summary:
      'Checks an archive on the machine of the client and shows what it holds. Asks no server.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ["DESCRIBE BACKUP 'trips.nvx';", "DESCRIBE BACKUP 'trips.nvx' FORMAT JSON;"],
    seeAlso: ['backup', 'restore'],
  }),
];
