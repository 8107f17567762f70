import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { RaftError } from '../../src/errors.ts';
import { Applier } from '../../src/node/applier.ts';
import { DivergenceWatch } from '../../src/node/divergence-watch.ts';
import { APPLY_BYTES_MAX } from '../../src/node/state-machine.ts';
import type { Entry } from '../../src/raft/entry.ts';
import { DEFAULT_RAFT_OPTIONS } from '../../src/raft/raft-options.ts';
import { planOf } from '../../src/simulation/fault-plan.ts';
import { runSimulation } from '../../src/simulation/simulation.ts';
import { decodeRecord, encodeRecord, RECORD_KIND } from '../../src/storage/record-frame.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import { AT_FIRST_LEVEL, configurationOf } from '../support/core-member.ts';
import { PARITY_ROWS } from '../support/parity-rows.ts';
import { readScripts } from '../support/script/golden-scripts.ts';
import { differenceIn, runScript } from '../support/script/run-script.ts';
import { blocksOf, remarksOf } from '../support/script/script-file.ts';

const MEBIBYTE = 1_024 * 1_024;
const tests = path.join(import.meta.dirname, '..');
const core = path.join(tests, '../src/raft');
const scripts = readScripts();
const scriptsOf = (feature: string) =>
  scripts.filter(({ script }) => remarksOf(script, 'parity').includes(feature));

describe('parity with the Raft of etcd', () => {
  test.each(PARITY_ROWS)('$cites parity: $feature', ({ feature, hasScripts, proofs = [] }) => {
    const golden = scriptsOf(feature);
    expect(golden.length > 0).toBe(hasScripts);
    for (const { script } of golden) {
      expect(blocksOf(script).length).toBeGreaterThan(1);
      expect(differenceIn(script, runScript(script))).toBeUndefined();
    }
    for (const [file, title] of proofs) {
      const text = readFileSync(path.join(tests, file), 'utf8');
      expect(text, `${file} has a test '${title}'`).toMatch(testTitled(title));
    }
    expect(hasScripts || proofs.length > 0, 'the row is proved').toBe(true);
  });

  test('every row stands once, and scripts name no others', () => {
    const features = PARITY_ROWS.map(({ feature }) => feature);
    expect(features).toHaveLength(20);
    expect(new Set(features).size).toBe(features.length);
    for (const { script } of scripts) {
      const named = remarksOf(script, 'parity');
      expect(named, script.name).not.toEqual([]);
      for (const feature of named) expect(features).toContain(feature);
    }
  });
});

/** A test or group of tests whose title begins like this. */
function testTitled(title: string): RegExp {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`\b(test|it|describe)(\.each\([^]*?\))?\(\s*'${escaped}`);
}

describe('parity outside of golden traces', () => {
  test('CS-40, CS-41, CS-46 the bounds are those of the table', () => {
    expect(DEFAULT_RAFT_OPTIONS).toMatchObject({
      appendBytesMax: MEBIBYTE,
      appendEntriesMax: 1_024,
      inflightBatchesMax: 16,
      inflightBytesMax: 16 * MEBIBYTE,
      uncommittedBytesMax: 64 * MEBIBYTE,
      readMode: 'round',
    });
    expect(DEFAULT_RAFT_OPTIONS.payloadBytesMax).toBeLessThanOrEqual(2 * MEBIBYTE);
  });

  test('CS-88 one entry writes at most 8 MiB', () => {
    const apply = (bytes: number) => {
      const writes = [{ key: Uint8Array.of(1), value: new Uint8Array(bytes - 1) }];
      const result = new Uint8Array(0);
      const machine = { restore: () => undefined, apply: () => ({ writes, result }) };
      const applier = new Applier(machine, { index: 0n, term: 0n, revision: 0n }, AT_FIRST_LEVEL);
      return applier.apply(entryAt(1n)).revision;
    };
    expect(APPLY_BYTES_MAX).toBe(8 * MEBIBYTE);
    expect(apply(APPLY_BYTES_MAX)).toBe(1n);
    expect(() => apply(APPLY_BYTES_MAX + 1)).toThrow(RaftError);
  });

  test('CS-10 a member that is given the same again says the same again', () => {
    const cluster = new CoreCluster([1, 2, 3]);
    cluster.tick(60);
    cluster.propose(cluster.leaders[0]!, 1);
    cluster.tick(5);
    for (const member of cluster.members.values()) {
      expect(member.outputs.length).toBeGreaterThan(60);
      expect(member.replay()).toEqual(member.outputs);
    }
  });

  test('CS-10 the core imports nothing but itself, so that nothing but inputs reaches it', () => {
    const files = readdirSync(core);
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const text = readFileSync(path.join(core, file), 'utf8');
      const imports = [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, name]) => name);
      for (const name of imports) expect(name, file).toMatch(/^(\.\/[a-z-]+|\.\.\/assert)\.ts$/);
    }
  });

  test('CS-300 the course of a run is a trace of what happened, the same for the same seed', () => {
    const plan = planOf('general', 7, 1_500);
    const first = runSimulation(plan, { linesMax: 2_000 });
    expect(first.violation).toBeUndefined();
    expect(first.lines.length).toBeGreaterThan(100);
    expect(runSimulation(plan, { linesMax: 2_000 })).toEqual(first);
    expect(runSimulation(planOf('general', 8, 1_500)).digest).not.toBe(first.digest);
  });

  test('CS-82 whoever differs from most members is named, once', () => {
    const watch = new DivergenceWatch(idOf(1));
    watch.own(1_000n, 'aa');
    watch.reported(idOf(2), 1_000n, 'bb');
    const configuration = configurationOf([1, 2, 3]);
    expect(watch.judge(1_000n, configuration).differing).toEqual([]);
    watch.reported(idOf(3), 1_000n, 'aa');
    const { digest, differing } = watch.judge(1_000n, configuration);
    expect(digest).toBe('aa');
    expect(differing.map(({ nodeId }) => nodeId)).toEqual(['n2']);
    expect(watch.judge(1_000n, configuration).differing).toEqual([]);
  });

  test('CS-75 no stored value survives a flipped bit, or another key', () => {
    const key = Uint8Array.of(1, 2, 3);
    const value = encodeRecord(RECORD_KIND.block, key, Uint8Array.of(4, 5, 6, 7), 1);
    expect(decodeRecord(RECORD_KIND.block, key, value, 1)).toEqual(Uint8Array.of(4, 5, 6, 7));
    for (let bit = 0; bit < value.length * 8; bit += 1) {
      const damaged = Uint8Array.from(value);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => decodeRecord(RECORD_KIND.block, key, damaged, 1)).toThrow();
    }
    expect(() => decodeRecord(RECORD_KIND.block, Uint8Array.of(1, 2), value, 1)).toThrow();
  });
});

function entryAt(index: bigint): Entry {
  const chain = new Uint8Array(16);
  return { index, term: 1n, kind: 'normal', payload: Uint8Array.of(1), chain };
}
