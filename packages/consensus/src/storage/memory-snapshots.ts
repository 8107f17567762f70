import { assert } from '../assert.ts';
import type { ChainedPosition, ConfigurationRecord } from '../raft/entry.ts';
import { contentDigest } from './digests.ts';
import type {
  AppliedPosition,
  SnapshotBuild,
  SnapshotInstall,
  SnapshotManifest,
  SnapshotReceipt,
  StateProof,
  StateRecord,
  WritePoint,
} from './log-storage.ts';
import type { MemoryContent } from './memory-disk.ts';
import type { SnapshotGenerations } from './snapshot-generations.ts';
import { SectionReader, SectionWriter } from './snapshot-section.ts';
import { SnapshotVerification } from './snapshot-verification.ts';

/** What the snapshots of a store in memory need of it. */
export interface MemorySnapshotContext {
  readonly content: MemoryContent;
  readonly generations: SnapshotGenerations;
  /** Throws when nothing more is written. */
  checkOpen(): void;
  /** Carries one write out. */
  commit(point: WritePoint, change: () => void): Promise<void>;
}

/** A snapshot of a store in memory in the making. */
export class MemorySnapshotBuild implements SnapshotBuild {
  readonly #context: MemorySnapshotContext;
  readonly #records: readonly StateRecord[];
  readonly #start: ChainedPosition & { readonly applied: AppliedPosition };
  readonly #proof: StateProof;
  readonly #configuration: ConfigurationRecord;
  readonly #generation: bigint;
  readonly #section = new SectionWriter();
  readonly #digests: string[] = [];
  #next = 0;
  #bytes = 0;
  #isEnded = false;

  constructor(context: MemorySnapshotContext, configuration: ConfigurationRecord) {
    const { content, generations } = context;
    const { applied } = content;
    this.#context = context;
    this.#configuration = configuration;
    this.#records = content.sortedRecords();
    this.#proof = content.proof;
    this.#start = { ...content.log.positionAt(applied.index), applied };
    this.#generation = generations.draw();
    content.generation = this.#generation;
  }

  async step(): ReturnType<SnapshotBuild['step']> {
    assert(!this.#isEnded, 'the snapshot is in the making');
    const { content, generations } = this.#context;
    const section = this.#nextSection();
    if (section !== undefined) {
      await this.#context.commit('snap-section', () => {
        const sections = content.sections.get(this.#generation) ?? [];
        content.sections.set(this.#generation, [...sections, section]);
      });
      this.#digests.push(contentDigest(section));
      this.#bytes += section.length;
      return { kind: 'section' };
    }
    const manifest = this.#manifest();
    await this.#context.commit('snap-manifest', () => {
      content.snapshot = manifest;
    });
    this.#isEnded = true;
    generations.publish(manifest);
    return { kind: 'complete', manifest };
  }

  abandon(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#context.generations.discard(this.#generation, this.#digests.length);
  }

  #nextSection(): Uint8Array | undefined {
    for (;;) {
      const record = this.#records[this.#next];
      if (record === undefined || !this.#section.add(record)) return this.#section.take();
      this.#next += 1;
    }
  }

  #manifest(): SnapshotManifest {
    const { index, term, chain, applied } = this.#start;
    const { configuration, index: configurationIndex } = this.#configuration;
    return {
      generation: this.#generation,
      index,
      term,
      chain,
      configuration,
      configurationIndex,
      revision: applied.revision,
      ...this.#proof,
      sections: [...this.#digests],
      bytes: this.#bytes,
    };
  }
}

/** A snapshot of another member that a store in memory receives. */
export class MemorySnapshotReceipt implements SnapshotReceipt {
  readonly manifest: SnapshotManifest;
  readonly #context: MemorySnapshotContext;
  readonly #verification: SnapshotVerification;
  #isEnded = false;
  /** Sections that are checked and stored. */
  #durable = 0;

  constructor(context: MemorySnapshotContext, manifest: SnapshotManifest) {
    this.#verification = new SnapshotVerification(manifest);
    this.#context = context;
    this.manifest = { ...manifest, generation: context.generations.draw() };
    context.content.generation = this.manifest.generation;
  }

  /** Whether all sections are durable and nobody gave up. */
  get isInstallable(): boolean {
    return !this.#isEnded && this.#durable === this.manifest.sections.length;
  }

  async section(bytes: Uint8Array): Promise<void> {
    assert(!this.#isEnded, 'the snapshot is being received');
    this.#context.checkOpen();
    this.#verification.check(bytes);
    const { content } = this.#context;
    const { generation } = this.manifest;
    await this.#context.commit('snap-section', () => {
      const sections = content.sections.get(generation) ?? [];
      content.sections.set(generation, [...sections, new Uint8Array(bytes)]);
    });
    this.#durable += 1;
  }

  abandon(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#context.generations.discard(this.manifest.generation, this.#verification.count);
  }

  /** The generation belongs to an installation from now on. */
  handOver(): void {
    this.#isEnded = true;
  }
}

/** The installation of a received snapshot in a store in memory. */
export class MemorySnapshotInstall implements SnapshotInstall {
  readonly #context: MemorySnapshotContext;
  readonly #manifest: SnapshotManifest;
  readonly #reader = new SectionReader();
  #steps: number;

  /** `isMarked` when an interrupted installation is done again. */
  constructor(context: MemorySnapshotContext, manifest: SnapshotManifest, isMarked: boolean) {
    this.#context = context;
    this.#manifest = manifest;
    this.#steps = isMarked ? 1 : 0;
  }

  async step(): Promise<boolean> {
    const { content, generations } = this.#context;
    const step = this.#steps;
    const sections = content.sections.get(this.#manifest.generation) ?? [];
    const section = sections[step - 2];
    const isLast = step === sections.length + 2;
    if (step === 0) {
      await this.#context.commit('snap-marker', () => {
        content.installation = this.#manifest;
      });
    } else if (step === 1) {
      await this.#context.commit('install-clear', () => content.clearRecords());
    } else if (section !== undefined) {
      const records = [...this.#reader.read(section)];
      await this.#context.commit('install-section', () => content.addRecords(records));
    } else {
      assert(isLast, 'the installation is not finished');
      await this.#context.commit('install-finish', () => content.finishInstallation());
      generations.publish(this.#manifest);
    }
    this.#steps += 1;
    return isLast;
  }
}
