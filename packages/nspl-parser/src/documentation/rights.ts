import {
  CAPABILITIES,
  LIMIT,
  OUTPUT_FORMAT,
  ROW_FILTER,
  SCOPE,
  SETTINGS,
} from './administration-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Projects and rights', title, draft);

const REVOCATION = clause(
  'ON REVOKE',
  'What happens to work in progress when it ends: `FINISH STEP`, `CANCEL` or `FREEZE`.',
  '`FINISH STEP`',
);

const GRANTED = clause('ROLE', 'A role with all of its rights, instead of a list of rights.');

/** Who may do what, and who did what. */
export const RIGHT_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE PROJECT', {
    summary: 'Creates a project: domains that are owned and governed together.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('DOMAIN', 'Its domains, separated by commas.', 'none yet'),
    ],
    examples: ['CREATE PROJECT fleet;', 'CREATE IF NOT EXISTS PROJECT fleet DOMAIN trips, replay;'],
    seeAlso: ['alter-project', 'show-projects', 'grant'],
  }),
  entry('ALTER PROJECT', {
    summary: 'Changes which domains belong to a project, or its name.',
    clauses: [
      clause('ADD DOMAIN', 'One more domain.'),
      clause('DROP DOMAIN', 'One less.'),
      clause('RENAME TO', 'Another name; its identity stays.'),
    ],
    notes: ['Operations are separated by commas.'],
    examples: [
      'ALTER PROJECT fleet ADD DOMAIN stage;',
      'ALTER PROJECT fleet DROP DOMAIN replay, ADD DOMAIN prod, RENAME TO rides;',
    ],
    seeAlso: ['create-project'],
  }),
  entry('DROP PROJECT', {
    summary: 'Removes a project; its domains stay.',
    examples: ['DROP PROJECT fleet;'],
    seeAlso: ['create-project'],
  }),
  entry('SHOW PROJECTS', {
    summary: 'Lists the projects with their domains.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW PROJECTS;', 'SHOW PROJECTS FORMAT JSON;'],
    seeAlso: ['create-project'],
  }),
  entry('CREATE ROLE', {
    summary: 'Creates a role: a set of rights under a name.',
    clauses: [uses(IF_NOT_EXISTS), uses(CAPABILITIES)],
    examples: [
      'CREATE ROLE viewer CAPABILITIES READ;',
      'CREATE ROLE author CAPABILITIES READ, DESIGN, ADMIT;',
    ],
    seeAlso: ['grant', 'alter-role', 'show-roles'],
  }),
  entry('ALTER ROLE', {
    summary: 'Replaces the rights of a role, for everyone who has it.',
    clauses: [{ ...uses(CAPABILITIES), keywords: ['SET CAPABILITIES'] }],
    examples: ['ALTER ROLE viewer SET CAPABILITIES READ, DESIGN;'],
    seeAlso: ['create-role'],
  }),
  entry('DROP ROLE', {
    summary: 'Removes a role.',
    examples: ['DROP ROLE viewer;'],
    seeAlso: ['create-role', 'revoke'],
  }),
  entry('SHOW ROLES', {
    summary: 'Lists the roles with their rights.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW ROLES;', 'SHOW ROLES FORMAT JSON;'],
    seeAlso: ['create-role', 'show-grants'],
  }),
  entry('GRANT', {
    summary: 'Gives a user or a role rights within a scope. Only rights that one has can be given.',
    clauses: [
      GRANTED,
      uses(CAPABILITIES),
      uses(SCOPE),
      clause('TO USER | TO ROLE', 'Who gets them.'),
      clause('EXPIRES', 'When they end, an RFC 3339 time in quotes.', 'they do not end'),
    ],
    examples: [
      'GRANT ROLE viewer ON CLUSTER TO USER ada;',
      "GRANT CAPABILITIES READ, CANCEL ON PROJECT fleet TO ROLE author EXPIRES '2027-01-01T00:00:00Z';",
      'GRANT CAPABILITIES EXECUTE ON JUNCTION split_trips IN DOMAIN trips TO USER ada;',
    ],
    seeAlso: ['revoke', 'show-grants', 'create-role'],
  }),
  entry('REVOKE', {
    summary: 'Takes rights back that were granted on exactly this scope.',
    clauses: [
      GRANTED,
      uses(CAPABILITIES),
      uses(SCOPE),
      clause('FROM USER | FROM ROLE', 'Who loses them.'),
    ],
    examples: [
      'REVOKE ROLE viewer ON CLUSTER FROM USER ada;',
      'REVOKE CAPABILITIES CANCEL ON DOMAIN trips FROM ROLE author;',
    ],
    seeAlso: ['grant', 'show-grants'],
  }),
  entry('SHOW GRANTS', {
    summary: 'Lists who has which rights where.',
    clauses: [
      clause('FOR USER | FOR ROLE', 'Of one user or role.', 'of everyone'),
      uses(OUTPUT_FORMAT),
    ],
    examples: ['SHOW GRANTS;', 'SHOW GRANTS FOR USER ada FORMAT JSON;'],
    seeAlso: ['grant', 'show-roles'],
  }),
  entry('CREATE DELEGATION', {
    summary:
      'Lets one user act with a part of another’s rights for a while. The answer holds a token, once.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('FOR USER', 'Whose rights they are.'),
      clause('TO USER', 'Who acts.'),
      uses(CAPABILITIES),
      uses(SCOPE),
      clause('EXPIRES', 'When it ends: an RFC 3339 time in quotes, or `AFTER` a duration.'),
      clause('BUDGET', 'Limits on what may be spent.', 'no limits'),
      clause('RUN SCOPE', 'What it is for; narrows it to that.', 'not narrowed'),
      REVOCATION,
      uses(SETTINGS),
    ],
    notes: ['It never gives more than the owner has at the time something is done.'],
    examples: [
      `CREATE DELEGATION night FOR USER ada TO USER agent
  CAPABILITIES READ ON DOMAIN trips EXPIRES AFTER 8h;`,
      `CREATE DELEGATION night FOR USER ada TO USER agent
  CAPABILITIES READ, DESIGN, ADMIT ON DOMAIN trips, POOL fast
  EXPIRES '2026-03-02T06:00:00Z'
  BUDGET {'moves_per_hour' = 2}
  RUN SCOPE 'release-42'
  ON REVOKE CANCEL;`,
    ],
    seeAlso: ['alter-delegation', 'show-delegations', 'grant'],
  }),
  entry('ALTER DELEGATION', {
    summary: 'Changes when a delegation ends or what may be spent.',
    clauses: [
      clause('SET EXPIRES', 'Another end: a time in quotes, or `AFTER` a duration.'),
      clause('SET BUDGET', 'Other limits.'),
      uses(SETTINGS),
    ],
    notes: ['Operations are separated by commas.'],
    examples: [
      'ALTER DELEGATION night SET EXPIRES AFTER 1h;',
      "ALTER DELEGATION night SET EXPIRES '2026-03-03T06:00:00Z', SET BUDGET {'wall_time' = '2h'};",
    ],
    seeAlso: ['create-delegation'],
  }),
  entry('DROP DELEGATION', {
    summary: 'Ends a delegation; work in progress goes on as its `ON REVOKE` says.',
    examples: ['DROP DELEGATION night;'],
    seeAlso: ['create-delegation'],
  }),
  entry('SHOW DELEGATIONS', {
    summary: 'Lists the delegations, without their tokens.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW DELEGATIONS;', 'SHOW DELEGATIONS FORMAT JSON;'],
    seeAlso: ['create-delegation'],
  }),
  entry('SHOW CAPABILITIES', {
    summary: 'Lists what this cluster can do, and on what evidence.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW CAPABILITIES;', 'SHOW CAPABILITIES FORMAT JSON;'],
    seeAlso: ['show-authority', 'alter-cluster'],
  }),
  entry('SHOW AUTHORITY', {
    summary: 'Shows what keeps the committed history and what was found when it was tested.',
    clauses: [uses(OUTPUT_FORMAT)],
    examples: ['SHOW AUTHORITY;', 'SHOW AUTHORITY FORMAT JSON;'],
    seeAlso: ['show-capabilities', 'show-cluster-status'],
  }),
  entry('SHOW AUDIT', {
    summary: 'Lists who did or tried what, under which rights, and how it was decided.',
    clauses: [uses(ROW_FILTER), uses(LIMIT), uses(OUTPUT_FORMAT)],
    examples: ['SHOW AUDIT;', "SHOW AUDIT WHERE (actor = 'ada') LIMIT 50 FORMAT JSON;"],
    seeAlso: ['show-operations', 'show-grants'],
  }),
];
