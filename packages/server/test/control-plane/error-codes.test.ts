import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RaftError } from '@nervix/consensus';
import { NervixError } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { storageFailureOutcome } from '../../src/control-plane/storage-failure.ts';
import { causeFields } from '../../src/logging/cause-fields.ts';
import { openWithRelay } from '../support/control-node.ts';

const PACKAGES = path.join(import.meta.dirname, '..', '..', '..');
const PURE = ['model', 'planner', 'protocol', 'scheduler', 'server'];

/** Both only leave out what the text of an answer says already. */
const RENDERED = new Set(['server/src/http/text-answer.ts']);

const READS_TEXT =
  /\bmessage\)?\??\.(includes|startsWith|endsWith|search|match|indexOf)\(|\.(test|exec)\([\w.]*\bmessage\b/;

function sourcesOf(name: string): readonly string[] {
  const folder = path.join(PACKAGES, name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file));
}

describe('errors are told apart by their codes (CP-131)', () => {
  test('no source of the control plane reads the text of an error', () => {
    const readers = PURE.flatMap(sourcesOf).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => READS_TEXT.test(line))
        .map((line) => `${path.relative(PACKAGES, file)}: ${line.trim()}`),
    );
    expect(readers.filter((line) => !RENDERED.has(line.slice(0, line.indexOf(':'))))).toEqual([]);
    expect(READS_TEXT.test('if (error.message.includes("x"))')).toBe(true);
    expect(READS_TEXT.test('if (/x/.test(error.message))')).toBe(true);
  });

  test.each([
    ['RAFT_STORAGE_FAILED', 'OUTCOME_UNKNOWN'],
    ['RAFT_CLOSED', 'OUTCOME_UNKNOWN'],
    ['RAFT_NOT_LEADER', 'OUTCOME_UNKNOWN'],
    ['RAFT_OVERLOADED', 'SERVER_BUSY'],
    ['RAFT_ENTRY_TOO_LARGE', 'LIMIT_REACHED'],
  ])('%s is %s, whatever it says', (code, expected) => {
    const error = new NervixError(code, 'the node stopped; too large; not leader');
    expect(storageFailureOutcome(error)).toMatchObject({ kind: 'failed', code: expected });
    expect(storageFailureOutcome(new Error(error.message))).toBeUndefined();
  });

  test('a refusal that names a lower layer keeps its own code, and the log the whole chain', async () => {
    const lower = new RaftError('RAFT_OVERLOADED', { queued: 1, queuedBytes: 2 });
    const middle = new Error('the write was refused', { cause: lower });
    const upper = new Error('the command met a failure', { cause: middle });
    expect(causeFields(upper)).toMatchObject({
      error: 'Error: the command met a failure',
      causes: [
        'Error: the write was refused',
        expect.stringMatching(/^RaftError RAFT_OVERLOADED: /),
      ],
    });
    expect(lower.details).toEqual({ queued: 1, queuedBytes: 2 });
    const node = await openWithRelay();
    node.dataPlane.onInstall = () => 'RAFT_OVERLOADED: too many commands are waiting';
    const error = await node.refuse('START;');
    expect(error.code, 'what the text of a cause looks like does not matter').toBe(
      'ACTIVATION_FAILED',
    );
  });
});
