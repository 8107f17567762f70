import { assert } from '../assert.ts';
import type { ChainedPosition, ConfigurationRecord } from '../raft/entry.ts';
import type { BatchEncoder } from './batch-encoder.ts';
import { contentDigest } from './digests.ts';
import { putDeletions } from './level-content.ts';
import type { JobContext } from './level-job.ts';
import {
  manifestKey,
  POSITIONS_KEY,
  sectionKey,
  stateKeyRange,
  unreferencedKey,
} from './level-keys.ts';
import type { DatabaseView, RecordPage } from './level-reader.ts';
import type {
  AppliedPosition,
  SnapshotBuild,
  SnapshotManifest,
  StateProof,
} from './log-storage.ts';
import { encodeManifest } from './manifest-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { ProofSum, SectionWriter } from './snapshot-section.ts';

/** State of the store at the moment a snapshot was begun. */
interface BuildStart extends ChainedPosition {
  readonly applied: AppliedPosition;
  readonly proof: StateProof;
  readonly configuration: ConfigurationRecord;
}

/** Writes the records, as they were when it was made, section by section. */
export class LevelSnapshotBuild implements SnapshotBuild {
  readonly #context: JobContext;
  readonly #generation: bigint;
  readonly #start: BuildStart;
  readonly #view: Promise<DatabaseView>;
  #pages: AsyncGenerator<RecordPage, void, void> | undefined;
  readonly #sections: string[] = [];
  readonly #sum = new ProofSum();
  readonly #section = new SectionWriter();
  #page: RecordPage = [];
  #next = 0;
  #bytes = 0;
  #isEnded = false;

  constructor(context: JobContext, configuration: ConfigurationRecord) {
    const { writer, content, feed } = context;
    const { applied } = writer.positions;
    const position = content.log.positionAt(applied.position.index);
    assert(
      configuration.index === applied.configurationIndex,
      'the configuration is in force there',
    );
    this.#context = context;
    this.#generation = content.generations.draw();
    this.#start = { ...position, applied: applied.position, proof: applied, configuration };
    this.#view = feed.view();
    // The step that needs it is told of its failure.
    this.#view.catch(() => {});
  }

  step(): ReturnType<SnapshotBuild['step']> {
    assert(!this.#isEnded, 'the snapshot is in the making');
    return this.#context.writer.exclusively(() => this.#step());
  }

  abandon(): void {
    if (this.#isEnded) return;
    this.#context.content.generations.discard(this.#generation, this.#sections.length);
    void this.#release();
  }

  async #step(): ReturnType<SnapshotBuild['step']> {
    const section = await this.#nextSection();
    if (section !== undefined) {
      await this.#writeSection(section);
      return { kind: 'section' };
    }
    const { proof } = this.#start;
    const { reader } = this.#context;
    if (!this.#sum.equals(proof)) {
      throw reader.corrupt(POSITIONS_KEY, 'state records differ from their digest');
    }
    const manifest = this.#manifest();
    await publishSnapshot(this.#context, manifest);
    await this.#release();
    return { kind: 'complete', manifest };
  }

  async #nextSection(): Promise<Uint8Array | undefined> {
    const { reader } = this.#context;
    for (;;) {
      const pair = this.#page[this.#next];
      if (pair === undefined) {
        this.#pages ??= reader.pages(stateKeyRange(), await this.#view);
        const page = await this.#pages.next();
        if (page.done === true) return this.#section.take();
        this.#page = page.value;
        this.#next = 0;
        continue;
      }
      const [stored, value] = pair;
      const record = {
        key: stored.subarray(1),
        value: reader.decode(RECORD_KIND.state, stored, value, (it) => it),
      };
      if (!this.#section.add(record)) return this.#section.take();
      this.#sum.add(record);
      this.#next += 1;
    }
  }

  async #writeSection(section: Uint8Array): Promise<void> {
    const { writer, content } = this.#context;
    const batch = writer.newBatch(section.length + 512);
    const key = sectionKey(this.#generation, this.#sections.length);
    batch.put(RECORD_KIND.section, key, section);
    putDeletions(content, batch);
    await writer.commit(['snap-section'], batch);
    this.#sections.push(contentDigest(section));
    this.#bytes += section.length;
  }

  #manifest(): SnapshotManifest {
    const { index, term, chain, applied, proof, configuration } = this.#start;
    return {
      generation: this.#generation,
      index,
      term,
      chain,
      configuration: configuration.configuration,
      configurationIndex: configuration.index,
      revision: applied.revision,
      stateDigest: proof.stateDigest,
      recordCount: proof.recordCount,
      sections: [...this.#sections],
      bytes: this.#bytes,
    };
  }

  async #release(): Promise<void> {
    this.#isEnded = true;
    await this.#pages?.return();
    const view = await this.#view;
    await view.close();
  }
}

/** Writes a manifest whose sections are all durable and makes its snapshot the active one. */
async function publishSnapshot(context: JobContext, manifest: SnapshotManifest): Promise<void> {
  const { writer, content } = context;
  const { generations } = content;
  const payload = encodeManifest(manifest);
  const batch = writer.newBatch(payload.length + 512);
  const { generation } = manifest;
  batch.put(RECORD_KIND.manifest, manifestKey(generation), payload);
  putUnreferenced(generations.displaced(), batch);
  putDeletions(content, batch);
  const active = { generation, manifestDigest: contentDigest(payload) };
  await writer.commit(['snap-manifest'], batch, { active });
  generations.publish(manifest);
}

/** Marks generations whose deletion is begun by a later batch. */
export function putUnreferenced(generations: readonly bigint[], batch: BatchEncoder): void {
  for (const generation of generations) {
    batch.put(RECORD_KIND.unreferenced, unreferencedKey(generation), new Uint8Array(0));
  }
}
