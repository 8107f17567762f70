import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runChild } from '../support/child-lines.ts';
import type { DirectedSchedule } from '../support/directed-schedules.ts';

interface DirectedFault {
  readonly rule: string;
  readonly schedule: DirectedSchedule;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const FAULTS: readonly DirectedFault[] = [
  {
    rule: 'CS-50: a read waits for a round that begins after it',
    schedule: 'readDuringRound',
    file: 'raft/read-rounds.ts',
    from: 'this.#waiting.push(reader);',
    to: 'if (this.#round) this.#round.readers.push(reader);\n    else this.#waiting.push(reader);',
  },
  {
    rule: 'CS-115: no configuration stays above an installed snapshot',
    schedule: 'leftoverConfiguration',
    file: 'raft/follower.ts',
    from: 'state.configurations.replaced(record, index, isKept);',
    to: 'state.configurations.replaced(record, index, true);',
  },
  {
    rule: 'BC-27: a suffix that conflicts with a snapshot goes',
    schedule: 'conflictingSuffix',
    file: 'raft/follower.ts',
    from: 'else state.log.reset(snapshot);',
    to: '',
  },
];

const source = fileURLToPath(new URL('../../src', import.meta.url));
const worker = new URL('../support/directed-worker.ts', import.meta.url);

async function problemOf(copy: string, schedule: DirectedSchedule): Promise<string | null> {
  const lines: string[] = [];
  const end = await runChild(worker, [copy, schedule], (line) => lines.push(line));
  if (end.code !== 0) return end.errors;
  return (JSON.parse(lines[0] ?? '') as { readonly problem: string | null }).problem;
}

describe.for(FAULTS)('CS-358: a directed schedule for $rule', (fault) => {
  it('passes with the rule', async () => {
    expect(await problemOf(source, fault.schedule)).toBeNull();
  });

  it('fails without it', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'directed-fault-'));
    try {
      const copy = path.join(directory, 'src');
      await cp(source, copy, { recursive: true });
      const file = path.join(copy, fault.file);
      const parts = (await readFile(file, 'utf8')).split(fault.from);
      expect(parts.length - 1, `'${fault.from}' stands once in ${fault.file}`).toBe(1);
      await writeFile(file, parts.join(fault.to));
      expect(await problemOf(copy, fault.schedule)).not.toBeNull();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
