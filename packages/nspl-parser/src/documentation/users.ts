import { OUTPUT_FORMAT } from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Users and secrets', title, draft);

const REDACTION =
  "Printed as `'<redacted>'`, except for who asks for secrets; a password that reads so is refused.";

/** Who may log in, and the secrets that clients refer to. */
export const USER_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE USER', {
    summary: 'Creates a user who authenticates with a password. Only a hash of it is stored.',
    clauses: [uses(IF_NOT_EXISTS), clause('WITH PASSWORD', 'The password, in quotes.')],
    notes: ['A user who was granted nothing has the default role of the cluster.', REDACTION],
    examples: [
      "CREATE USER ada WITH PASSWORD 'correct horse';",
      "CREATE IF NOT EXISTS USER ada WITH PASSWORD 'correct horse';",
    ],
    seeAlso: ['alter-user', 'drop-user', 'grant'],
  }),
  entry('ALTER USER', {
    summary: 'Gives a user another password. Sessions that are open stay so.',
    clauses: [clause('SET PASSWORD', 'The new password, in quotes.')],
    notes: [
      'Users may change their own; for others it takes the right `GRANT` on the cluster.',
      REDACTION,
    ],
    examples: ["ALTER USER ada SET PASSWORD 'battery staple';"],
    seeAlso: ['create-user', 'drop-user'],
  }),
  entry('DROP USER', {
    summary: 'Removes a user, ends the sessions and reverts the open transactions of that user.',
    notes: ['The last user with every right on the cluster stays.'],
    examples: ['DROP USER ada;'],
    seeAlso: ['create-user', 'revoke'],
  }),
  entry('SHOW SECRETS', {
    summary: 'Lists the secrets of the selected domain by name and version, never by value.',
    clauses: [uses(OUTPUT_FORMAT)],
    notes: ['Values are written through the API and the command line, not by statements.'],
    examples: ['SHOW SECRETS;', 'SHOW SECRETS FORMAT JSON;'],
    seeAlso: ['drop-secret', 'create-client'],
  }),
  entry('DROP SECRET', {
    summary: 'Removes a secret of the selected domain with all of its versions.',
    examples: ['DROP SECRET warehouse_login;'],
    seeAlso: ['show-secrets', 'create-client'],
  }),
];
