import { RESOURCE_VERSION } from './connector-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Resources', title, draft);

/** Named, versioned directories of files that models bind. */
export const RESOURCE_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE RESOURCE', {
    summary:
      'Declares a resource: a directory of files in numbered versions, such as certificates, models or ' +
      'guest modules. It has no version before the first upload.',
    clauses: [uses(IF_NOT_EXISTS)],
    notes: ['Can be queued in a transaction, and does not wait for other changes of the domain.'],
    examples: ['CREATE RESOURCE certs;', 'CREATE IF NOT EXISTS RESOURCE certs;'],
    seeAlso: ['upload-resource', 'describe-resource', 'rebind-resource'],
  }),
  entry('UPLOAD RESOURCE', {
    summary:
      'Sends a local directory as the next version of a resource to every node. The client reads the ' +
      'directory; models keep the version they are bound to.',
    clauses: [clause('VERSION', 'The local directory, in quotes.')],
    examples: ["UPLOAD RESOURCE certs VERSION './certs-2026-03';"],
    seeAlso: ['create-resource', 'rebind-resource'],
  }),
  entry('DESCRIBE RESOURCE', {
    summary: 'Shows the versions of a resource, their digests and where they are installed.',
    clauses: [clause('VERSION', 'Shows one version and its files.', 'all versions')],
    examples: ['DESCRIBE RESOURCE certs;', 'DESCRIBE RESOURCE certs VERSION 3;'],
    seeAlso: ['upload-resource'],
  }),
  entry('REBIND RESOURCE', {
    summary:
      'Moves models that are bound to a resource to another version of it, all in one step. They are not ' +
      'recreated.',
    clauses: [
      clause('TO', 'The version to bind.'),
      { ...uses(RESOURCE_VERSION) },
      clause(
        'FOR',
        'The models to move: `VHOST`, `CODEC`, `SIGNALING PROTOCOL`, `INFERENCER`, `WASM PROCESSOR`, ' +
          '`HASH MAP` or `CLIENT` and a name, separated by commas.',
        'every model that is bound to the resource',
      ),
    ],
    notes: ['Printing sorts the models by kind and name.'],
    examples: [
      'REBIND RESOURCE certs TO VERSION LATEST;',
      'REBIND RESOURCE certs TO VERSION 4 FOR VHOST public, CLIENT warehouse;',
    ],
    seeAlso: ['upload-resource', 'describe-resource'],
  }),
];
