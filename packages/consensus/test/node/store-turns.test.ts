import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreTurns } from '../../src/node/store-turns.ts';
import { MemoryDisk } from '../../src/storage/memory-disk.ts';
import { MemoryLogStorage } from '../../src/storage/memory-log-storage.ts';
import { LedgerMachine, textRecords } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { build, FIRST, found, readSections, record } from '../support/store-snapshots.ts';

const MEBIBYTE = 1_024 * 1_024;

/** A store with a snapshot of two sections at entry 9, and another one that is to take it. */
async function stores() {
  const state = { failsWrites: false };
  const open = async (nodeId: string) => {
    const storage = await MemoryLogStorage.open({
      disk: new MemoryDisk(),
      clusterId: 'c1',
      nodeId,
      intercept: async (_, commit) => {
        if (nodeId === 'n2' && state.failsWrites) throw new Error('input/output error');
        await commit();
      },
    });
    onTestFinished(() => storage.close());
    return storage;
  };
  const source = await open('n1');
  await found(source, 9, [record('a', 5 * MEBIBYTE), record('bb', 5 * MEBIBYTE)]);
  const manifest = await build(source);
  const sections = await readSections(source, manifest);
  expect(sections).toHaveLength(2);
  const target = await open('n2');
  await found(target, 3, [record('old', 1)]);
  const machine = new LedgerMachine();
  return {
    state,
    source,
    manifest,
    sections,
    target,
    machine,
    turns: new StoreTurns(target, machine),
  };
}

describe('turns of the store', () => {
  test('CS-110 CS-111 a snapshot is built section by section, then complete', async () => {
    const { target, turns } = await stores();
    const turn = { kind: 'snapshotStep', configuration: FIRST } as const;
    expect(await turns.run(turn)).toEqual({ kind: 'done' });
    const last = await turns.run(turn);
    expect(last).toMatchObject({ kind: 'snapshotComplete', manifest: { index: 3n } });
    expect(target.snapshot?.index).toBe(3n);
    expect(await turns.run(turn)).toEqual({ kind: 'done' });
  });

  test('CS-113 CS-115 a snapshot is received, installed and taken over by the machine', async () => {
    const { manifest, sections, source, target, machine, turns } = await stores();
    const building = { kind: 'snapshotStep', configuration: FIRST } as const;
    await turns.run(building);
    const receipt = turns.beginReceipt(manifest);
    for (const bytes of sections) {
      const stored = turns.queueSection(receipt, bytes);
      expect(await turns.run({ kind: 'receiveStep' })).toEqual({ kind: 'done' });
      await stored;
    }
    expect(turns.isCurrent(receipt)).toBe(true);
    const step = { kind: 'installStep', snapshot: receipt.manifest } as const;
    let result = await turns.run(step);
    for (; result.kind === 'done'; result = await turns.run(step)) {
      expect(machine.restoredAt).toBeUndefined();
    }
    expect(result).toMatchObject({
      kind: 'installed',
      applied: { index: 9n },
      manifest: { index: 9n },
    });
    expect(machine.restoredAt).toEqual(source.applied);
    expect(machine.published).toEqual(await textRecords(source.records()));
    expect(target.snapshot).toEqual(result.kind === 'installed' ? result.manifest : undefined);
    expect(turns.isCurrent(receipt)).toBe(false);
    // What was being built of the old records is not continued.
    for (result = await turns.run(building); result.kind === 'done'; ) {
      result = await turns.run(building);
    }
    expect(result).toMatchObject({ kind: 'snapshotComplete', manifest: { index: 9n } });
  });

  test('CS-113 a newer transfer takes the place of one that was going on', async () => {
    const { manifest, sections, turns } = await stores();
    const older = turns.beginReceipt(manifest);
    const late = turns.queueSection(older, sections[0]!);
    const refused = expect(late).rejects.toThrow('a newer transfer has taken the place');
    const newer = turns.beginReceipt(manifest);
    const stored = turns.queueSection(newer, sections[0]!);
    await turns.run({ kind: 'receiveStep' });
    await refused;
    expect([turns.isCurrent(older), turns.isCurrent(newer)]).toEqual([false, true]);
    // The end of the older one does not concern the newer.
    turns.abandon(older);
    expect(turns.isCurrent(newer)).toBe(true);
    await turns.run({ kind: 'receiveStep' });
    await stored;
    turns.abandon(newer);
    expect(turns.isCurrent(newer)).toBe(false);
  });

  test('CS-113 a manifest that nothing can fit leaves the transfer that is going on', async () => {
    const { manifest, sections, turns } = await stores();
    const receipt = turns.beginReceipt(manifest);
    const unfit = async () => turns.beginReceipt({ ...manifest, sections: [] });
    await expectRaftError(unfit(), 'RAFT_SNAPSHOT_INVALID');
    expect(turns.isCurrent(receipt)).toBe(true);
    for (const bytes of sections) {
      const stored = turns.queueSection(receipt, bytes);
      await turns.run({ kind: 'receiveStep' });
      await stored;
    }
  });

  test('CS-114 a section that does not fit ends the transfer, and nothing else', async () => {
    const { manifest, sections, target, turns } = await stores();
    const receipt = turns.beginReceipt(manifest);
    const refused = expectRaftError(
      turns.queueSection(receipt, sections[1]!),
      'RAFT_SNAPSHOT_INVALID',
    );
    expect(await turns.run({ kind: 'receiveStep' })).toEqual({ kind: 'done' });
    await refused;
    expect(turns.isCurrent(receipt)).toBe(false);
    expect((await textRecords(target.records())).size).toBe(1);
  });

  test('CS-77 a write that fails rejects the turn and whoever waits for the section', async () => {
    const { manifest, sections, state, turns } = await stores();
    const receipt = turns.beginReceipt(manifest);
    state.failsWrites = true;
    const refused = expectRaftError(
      turns.queueSection(receipt, sections[0]!),
      'RAFT_STORAGE_FAILED',
    );
    await expectRaftError(turns.run({ kind: 'receiveStep' }), 'RAFT_STORAGE_FAILED');
    await refused;
  });

  test('a transfer that is being installed is not given up by its sender', async () => {
    const { manifest, sections, turns } = await stores();
    const receipt = turns.beginReceipt(manifest);
    for (const bytes of sections) {
      const stored = turns.queueSection(receipt, bytes);
      await turns.run({ kind: 'receiveStep' });
      await stored;
    }
    const step = { kind: 'installStep', snapshot: receipt.manifest } as const;
    await turns.run(step);
    turns.abandon(receipt);
    let result = await turns.run(step);
    while (result.kind === 'done') result = await turns.run(step);
    expect(result).toMatchObject({ kind: 'installed' });
  });
});
