import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runChild } from '../support/child-lines.ts';
import { SEEDED_FAULTS, type SeededFault } from './seeded-faults.ts';

interface FailureRecord {
  readonly kind: string;
  readonly seed: number;
  readonly seedClass: string;
  readonly steps: number;
  readonly digest: string;
  readonly violation: { readonly rule: string; readonly text: string };
}

const source = fileURLToPath(new URL('../../src', import.meta.url));
const worker = new URL('../support/simulation-worker.ts', import.meta.url);
const isLongMode = process.env['SIM_LONG'] === '1';
const wanted = SEEDED_FAULTS.filter(({ isLong = false }) => isLongMode || !isLong);

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'seeded-faults-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Copies the sources and breaks one rule in the copy. */
async function brokenCopy(fault: SeededFault): Promise<string> {
  const copy = path.join(directory, String(SEEDED_FAULTS.indexOf(fault)));
  await cp(source, copy, { recursive: true });
  const file = path.join(copy, fault.file);
  const text = await readFile(file, 'utf8');
  const parts = text.split(fault.from);
  expect(parts.length - 1, `'${fault.from}' stands once in ${fault.file}`).toBe(1);
  await writeFile(file, parts.join(fault.to));
  return copy;
}

async function failures(
  copy: string,
  fault: Pick<SeededFault, 'seedClass' | 'steps' | 'changes'>,
  seeds: readonly number[],
): Promise<readonly FailureRecord[]> {
  const { seedClass, steps, changes } = fault;
  const assignment = { source: copy, seeds, seedClass, steps, changes, stopAtFirst: true };
  const found: FailureRecord[] = [];
  const end = await runChild(worker, [JSON.stringify(assignment)], (line) => {
    const record = JSON.parse(line) as FailureRecord;
    if (record.kind === 'failure') found.push(record);
  });
  expect(end.errors).toBe('');
  expect(end.code).toBe(0);
  return found;
}

function seedsTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

describe('CS-357: a broken rule is found', () => {
  it('breaks at least 20 rules', () => {
    expect(wanted.length).toBeGreaterThanOrEqual(20);
  });

  it('names text that is there, for the long mode too', async () => {
    for (const { file, from } of SEEDED_FAULTS) {
      const text = await readFile(path.join(source, file), 'utf8');
      expect(text.split(from).length - 1, `'${from}' stands once in ${file}`).toBe(1);
    }
  });

  it.for(wanted)('$rule', { timeout: isLongMode ? 3_600_000 : 600_000 }, async (fault) => {
    const copy = await brokenCopy(fault);
    const found = await failures(copy, fault, seedsTo(fault.seeds));
    expect(found.length, `found within ${fault.seeds} seeds`).toBe(1);
  });
});

describe('CS-305: a failure is repeated by its record', () => {
  it('fails at the same event with the same course', { timeout: 60_000 }, async () => {
    const [fault] = wanted;
    expect(fault).toBeDefined();
    if (fault === undefined) return;
    const copy = await brokenCopy(fault);
    const [first] = await failures(copy, fault, seedsTo(fault.seeds));
    expect(first).toBeDefined();
    if (first === undefined) return;
    const [again] = await failures(copy, fault, [first.seed]);
    expect(again).toEqual(first);
  });
});
