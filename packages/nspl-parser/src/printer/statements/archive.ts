import {
  type BackupState,
  type BackupStatement,
  type DescribeBackupStatement,
  printClockDuration,
  type RestoreStatement,
} from '@nervix/model';
import { stringLiteral } from '../lexical.js';
import { printFormat } from './read.js';

/** BACKUP in the form of whoever reads it: without a path it is the one for a node. */
export function printBackup({ subject, path, withoutResources, state }: BackupStatement): string {
  const domain = subject.kind === 'domain' && subject.domain !== null ? ` ${subject.domain}` : '';
  return [
    `BACKUP ${subject.kind.toUpperCase()}${domain}`,
    path === null ? '' : ` TO ${stringLiteral(path)}`,
    withoutResources ? ' WITHOUT RESOURCES' : '',
    state === null ? '' : ` ${printState(state)}`,
    ';',
  ].join('');
}

function printState(state: BackupState): string {
  switch (state.kind) {
    case 'without_state':
      return 'WITHOUT STATE';
    case 'without_pause':
      return 'WITHOUT PAUSE';
    case 'timeout':
      return `TIMEOUT ${printClockDuration(BigInt(state.nanos))}`;
  }
}

/** RESTORE in the form of whoever reads it, as {@link printBackup}. */
export function printRestore({ subject, path, ...options }: RestoreStatement): string {
  const { resume, dryRun, without } = options;
  const isCluster = subject.kind === 'cluster';
  return [
    isCluster ? 'RESTORE CLUSTER' : `RESTORE DOMAIN ${subject.domain}`,
    isCluster || subject.as === null ? '' : ` AS ${subject.as}`,
    path === null ? '' : ` FROM ${stringLiteral(path)}`,
    resume ? ' RESUME' : '',
    isCluster && subject.onExistingUser !== 'FAIL'
      ? ` ON EXISTING USER ${subject.onExistingUser}`
      : '',
    dryRun ? ' DRY RUN' : '',
    without === null ? '' : ` WITHOUT ${without}`,
    ';',
  ].join('');
}

export function printDescribeBackup({ path, format }: DescribeBackupStatement): string {
  return `DESCRIBE BACKUP ${stringLiteral(path)}${printFormat(format)};`;
}
