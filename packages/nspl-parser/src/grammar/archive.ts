import type {
  BackupState,
  BackupStatement,
  BackupSubject,
  DescribeBackupStatement,
  RestoreStatement,
  RestoreSubject,
  Statement,
} from '@nervix/model';
import type { GrammarForm } from '../grammar-form.js';
import { keywords } from '../tokens.js';
import { takeClockDuration } from './clock-duration.js';
import { type GrammarHost, label, type Phrase, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import { takeOutputFormat } from './output-format.js';

const K = keywords(
  'BACKUP',
  'RESTORE',
  'CLUSTER',
  'DOMAIN',
  'TO',
  'FROM',
  'AS',
  'TIMEOUT',
  'RESUME',
  'FAIL',
  'SKIP',
  'REPLACE',
);
const PHRASE_WITHOUT_RESOURCES = phraseOf('WITHOUT RESOURCES');
const PHRASE_WITHOUT_STATE = phraseOf('WITHOUT STATE');
const PHRASE_WITHOUT_PAUSE = phraseOf('WITHOUT PAUSE');
const PHRASE_WITHOUT_OFFSETS = phraseOf('WITHOUT SOURCE OFFSETS');
const PHRASE_EXISTING_USER = phraseOf('ON EXISTING USER');
const PHRASE_DRY_RUN = phraseOf('DRY RUN');

const DOMAIN = label('ref:domain');
const DOMAIN_NAME = label('domain_name');
const LOCAL_PATH = label('local_path');

const CLUSTER: BackupSubject = Object.freeze({ kind: 'cluster' });
const WITHOUT_STATE: BackupState = Object.freeze({ kind: 'without_state' });
const WITHOUT_PAUSE: BackupState = Object.freeze({ kind: 'without_pause' });

/** BACKUP and RESTORE as one side reads them. */
export interface ArchiveRules {
  readonly backup: Rule<Statement>;
  readonly restore: Rule<Statement>;
}

/** BACKUP and RESTORE in both forms: the one for a node has no path and names its domain. */
export function defineArchives(
  g: GrammarHost,
  literals: LiteralRules,
): Readonly<Record<GrammarForm, ArchiveRules>> {
  const backupOptions = defineBackupOptions(g, literals);
  const restoreOptions = defineRestoreOptions(g);
  const takePath = () => {
    g.take(K.FROM);
    return takeLocalPath(g);
  };
  return {
    client: {
      backup: defineClientBackup(g, backupOptions),
      restore: defineRestore(g, 'restore', restoreOptions, takePath),
    },
    server: {
      backup: defineServerBackup(g, backupOptions),
      restore: defineRestore(g, 'serverRestore', restoreOptions, () => null),
    },
  };
}

/** A path on the machine of whoever wrote the statement. */
export function takeLocalPath(g: GrammarHost): string {
  const path = g.text(LOCAL_PATH);
  if (path === '') g.refuse('local_path must not be empty');
  return path;
}

type BackupOptions = Pick<BackupStatement, 'withoutResources' | 'state'>;

function defineBackupOptions(g: GrammarHost, literals: LiteralRules): Rule<BackupOptions> {
  const state = [
    { ALT: () => takeWords(g, PHRASE_WITHOUT_STATE, WITHOUT_STATE) },
    { ALT: () => takeWords(g, PHRASE_WITHOUT_PAUSE, WITHOUT_PAUSE) },
    {
      ALT: (): BackupState => {
        g.take(K.TIMEOUT);
        const nanos = takeClockDuration(g, literals, { isZeroAllowed: true });
        return Object.freeze({ kind: 'timeout', nanos });
      },
    },
  ];
  return g.rule('backupOptions', () => ({
    withoutResources: g.maybe(0, () => takeWords(g, PHRASE_WITHOUT_RESOURCES, true)) ?? false,
    state: g.maybe(1, () => g.choose<BackupState>(0, state)) ?? null,
  }));
}

/** What is backed up, and the file that only a client names. */
type BackupTarget = Pick<BackupStatement, 'subject' | 'path'>;

function defineClientBackup(g: GrammarHost, options: Rule<BackupOptions>): Rule<Statement> {
  const takePath = () => {
    g.take(K.TO);
    return takeLocalPath(g);
  };
  // The second token tells a domain that is called `to` from the preposition.
  const domain = g.rule('backupDomain', () =>
    g.choose<BackupTarget>(0, [
      {
        ALT: () => {
          const subject = domainSubject(g.name(DOMAIN));
          return { subject, path: takePath() };
        },
      },
      { ALT: () => ({ subject: domainSubject(null), path: takePath() }) },
    ]),
  );
  const target = g.rule('backupTarget', () =>
    g.choose<BackupTarget>(0, [
      {
        ALT: () => {
          g.take(K.CLUSTER);
          return { subject: CLUSTER, path: takePath() };
        },
      },
      {
        ALT: () => {
          g.take(K.DOMAIN);
          return g.call(domain);
        },
      },
    ]),
  );
  return defineBackup(g, 'backup', target, options);
}

function defineServerBackup(g: GrammarHost, options: Rule<BackupOptions>): Rule<Statement> {
  const target = g.rule('serverBackupTarget', () =>
    g.choose<BackupTarget>(0, [
      { ALT: () => g.takeAs(K.CLUSTER, { subject: CLUSTER, path: null }) },
      {
        ALT: () => {
          g.take(K.DOMAIN);
          return { subject: domainSubject(g.name(DOMAIN)), path: null };
        },
      },
    ]),
  );
  return defineBackup(g, 'serverBackup', target, options);
}

function domainSubject(domain: string | null): BackupSubject {
  return Object.freeze({ kind: 'domain', domain });
}

function defineBackup(
  g: GrammarHost,
  name: string,
  target: Rule<BackupTarget>,
  options: Rule<BackupOptions>,
): Rule<Statement> {
  return g.rule(name, (): Statement => {
    g.take(K.BACKUP);
    return { kind: 'backup', ...g.call(target), ...g.call(options) };
  });
}

interface RestoreRules {
  readonly existingUser: Rule<OnExistingUser>;
  readonly newName: Rule<string>;
  readonly options: Rule<RestoreOptions>;
}
type OnExistingUser = Extract<RestoreSubject, { kind: 'cluster' }>['onExistingUser'];
type RestoreOptions = Pick<RestoreStatement, 'dryRun' | 'without'>;

function defineRestoreOptions(g: GrammarHost): RestoreRules {
  const existingUser = g.rule('onExistingUser', () => {
    g.phrase(PHRASE_EXISTING_USER);
    return g.choose<OnExistingUser>(0, [
      { ALT: () => g.takeAs(K.FAIL, 'FAIL') },
      { ALT: () => g.takeAs(K.SKIP, 'SKIP') },
      { ALT: () => g.takeAs(K.REPLACE, 'REPLACE') },
    ]);
  });
  const newName = g.rule('restoredName', () => {
    g.take(K.AS);
    return g.name(DOMAIN_NAME);
  });
  const options = g.rule('restoreOptions', (): RestoreOptions => {
    const dryRun = g.maybe(0, () => takeWords(g, PHRASE_DRY_RUN, true)) ?? false;
    const without = g.maybe(1, () =>
      g.choose<NonNullable<RestoreOptions['without']>>(0, [
        { ALT: () => takeWords(g, PHRASE_WITHOUT_STATE, 'STATE') },
        { ALT: () => takeWords(g, PHRASE_WITHOUT_OFFSETS, 'SOURCE OFFSETS') },
      ]),
    );
    return { dryRun, without: without ?? null };
  });
  return { existingUser, newName, options };
}

function defineRestore(
  g: GrammarHost,
  name: string,
  { existingUser, newName, options }: RestoreRules,
  takePath: () => string | null,
): Rule<Statement> {
  const takeResume = (index: number) => g.maybe(index, () => g.takeAs(K.RESUME, true)) ?? false;
  type Head = Pick<RestoreStatement, 'subject' | 'path' | 'resume'>;
  const subjects = [
    {
      ALT: (): Head => {
        g.take(K.CLUSTER);
        const path = takePath();
        const resume = takeResume(0);
        const onExistingUser = g.maybe(1, () => g.call(existingUser)) ?? 'FAIL';
        return { subject: Object.freeze({ kind: 'cluster', onExistingUser }), path, resume };
      },
    },
    {
      ALT: (): Head => {
        g.take(K.DOMAIN);
        const domain = g.name(DOMAIN_NAME);
        const as = g.maybe(2, () => g.call(newName)) ?? null;
        const path = takePath();
        return {
          subject: Object.freeze({ kind: 'domain', domain, as }),
          path,
          resume: takeResume(3),
        };
      },
    },
  ];
  return g.rule(name, (): Statement => {
    g.take(K.RESTORE);
    return { kind: 'restore', ...g.choose(0, subjects), ...g.call(options) };
  });
}

/** `BACKUP path [FORMAT …]` of DESCRIBE. */
export function defineDescribeBackup(g: GrammarHost): Rule<DescribeBackupStatement> {
  return g.rule('describeBackup', () => {
    g.take(K.BACKUP);
    const path = takeLocalPath(g);
    return { kind: 'describe_backup', path, format: takeOutputFormat(g, 0) };
  });
}

function takeWords<T>(g: GrammarHost, words: Phrase, value: T): T {
  g.phrase(words);
  return value;
}
