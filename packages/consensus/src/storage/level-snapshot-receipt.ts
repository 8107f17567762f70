import { assert } from '../assert.ts';
import { putDeletions } from './level-content.ts';
import type { JobContext } from './level-job.ts';
import { sectionKey } from './level-keys.ts';
import type { SnapshotManifest, SnapshotReceipt } from './log-storage.ts';
import { RECORD_KIND } from './record-frame.ts';
import { SnapshotVerification } from './snapshot-verification.ts';

/** Takes a snapshot of another member into a generation of this store, section by section. */
export class LevelSnapshotReceipt implements SnapshotReceipt {
  readonly manifest: SnapshotManifest;
  readonly #context: JobContext;
  readonly #verification: SnapshotVerification;
  #isEnded = false;
  /** Sections that are checked and durable. */
  #durable = 0;

  constructor(context: JobContext, manifest: SnapshotManifest) {
    this.#verification = new SnapshotVerification(manifest);
    this.#context = context;
    this.manifest = { ...manifest, generation: context.content.generations.draw() };
  }

  /** Whether all sections are durable and nobody gave up. */
  get isInstallable(): boolean {
    return !this.#isEnded && this.#durable === this.manifest.sections.length;
  }

  async section(bytes: Uint8Array): Promise<void> {
    assert(!this.#isEnded, 'the snapshot is being received');
    const { writer, content } = this.#context;
    writer.checkOpen();
    const number = this.#verification.count;
    this.#verification.check(bytes);
    await writer.exclusively(async () => {
      const batch = writer.newBatch(bytes.length + 512);
      batch.put(RECORD_KIND.section, sectionKey(this.manifest.generation, number), bytes);
      putDeletions(content, batch);
      await writer.commit(['snap-section'], batch);
    });
    this.#durable += 1;
  }

  abandon(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { generations } = this.#context.content;
    // One more than was checked: the last one may be about to be written.
    generations.discard(this.manifest.generation, this.#verification.count + 1);
  }

  /** The generation belongs to an installation from now on. */
  handOver(): void {
    this.#isEnded = true;
  }
}
