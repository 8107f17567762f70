import type { BackupStatement, RestoreStatement, Statement } from '@nervix/model';
import fc from 'fast-check';
import { name, nanos, text, u64 } from './names.ts';
import { format } from './reads.ts';

const someText = text.filter((value) => value !== '');
const hexDigit = fc.constantFrom(...'0123456789abcdef');

export const commit = fc.record({
  kind: fc.constant('commit' as const),
  expect: fc.option(
    fc.record({
      id: someText,
      position: u64,
      basis: fc.string({ unit: hexDigit, minLength: 64, maxLength: 64 }),
    }),
  ),
});

/** Statements about the session they are sent in. */
export const sessionStatement: fc.Arbitrary<Statement> = fc.oneof(
  fc.constantFrom(
    { kind: 'list_domains' as const },
    { kind: 'attach_domain_clock' as const },
    { kind: 'detach_domain_clock' as const },
    { kind: 'begin' as const },
    { kind: 'revert' as const },
  ),
  fc.record({ kind: fc.constant('use' as const), domain: name }),
  commit,
  fc.record({ kind: fc.constant('attach_transaction' as const), transaction: someText }),
  fc.record({
    kind: fc.constant('upload_resource' as const),
    resource: name,
    directory: someText,
  }),
);

const backupState = fc.option(
  fc.oneof(
    fc.constantFrom({ kind: 'without_state' as const }, { kind: 'without_pause' as const }),
    fc.record({
      kind: fc.constant('timeout' as const),
      nanos: fc.oneof(nanos, fc.constant('0')),
    }),
  ),
);
const cluster = fc.constant({ kind: 'cluster' as const });

function backup(
  domain: fc.Arbitrary<string | null>,
  path: fc.Arbitrary<string | null>,
): fc.Arbitrary<BackupStatement> {
  return fc.record({
    kind: fc.constant('backup' as const),
    subject: fc.oneof(cluster, fc.record({ kind: fc.constant('domain' as const), domain })),
    path,
    withoutResources: fc.boolean(),
    state: backupState,
  });
}

function restore(path: fc.Arbitrary<string | null>): fc.Arbitrary<RestoreStatement> {
  return fc.record({
    kind: fc.constant('restore' as const),
    subject: fc.oneof(
      fc.record({
        kind: fc.constant('cluster' as const),
        onExistingUser: fc.constantFrom('FAIL' as const, 'SKIP' as const, 'REPLACE' as const),
      }),
      fc.record({ kind: fc.constant('domain' as const), domain: name, as: fc.option(name) }),
    ),
    path,
    resume: fc.boolean(),
    dryRun: fc.boolean(),
    without: fc.option(fc.constantFrom('STATE' as const, 'SOURCE OFFSETS' as const)),
  });
}

export const clientRestore: fc.Arbitrary<RestoreStatement> = restore(someText);

/** BACKUP, RESTORE and DESCRIBE BACKUP as people write them. */
export const archiveStatement: fc.Arbitrary<Statement> = fc.oneof(
  backup(fc.option(name), someText),
  clientRestore,
  fc.record({ kind: fc.constant('describe_backup' as const), path: someText, format }),
);

/** BACKUP and RESTORE as a client sends them to a node. */
export const serverArchiveStatement: fc.Arbitrary<Statement> = fc.oneof(
  backup(name, fc.constant(null)),
  restore(fc.constant(null)),
);
