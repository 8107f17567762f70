import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';
import { MalformedBytesError } from './byte-codec.ts';
import { contentDigest } from './digests.ts';
import type { SnapshotManifest } from './log-storage.ts';
import { ProofSum, SECTION_CONTENT_MAX, SectionReader } from './snapshot-section.ts';

/**
 * Holds the sections of a snapshot, as they arrive, against its manifest: each by its digest, all
 * together by the proof of the records. What passes can be installed.
 */
export class SnapshotVerification {
  readonly #manifest: SnapshotManifest;
  readonly #reader = new SectionReader();
  readonly #sum = new ProofSum();
  #count = 0;
  #bytes = 0;

  /**
   * Throws `RAFT_SNAPSHOT_INVALID` for a manifest that nothing can fit: one without sections that
   * promises records, one without voters, or one whose members come from an entry behind it.
   */
  constructor(manifest: SnapshotManifest) {
    this.#manifest = manifest;
    if (manifest.configuration.voters.length === 0) throw invalid('it names no voters');
    if (manifest.configurationIndex > manifest.index) throw invalid('its members come later');
    if (manifest.sections.length === 0) this.#checkEnd();
  }

  /** Number of sections that passed. */
  get count(): number {
    return this.#count;
  }

  get isComplete(): boolean {
    return this.#count === this.#manifest.sections.length;
  }

  /** Checks the next section. Throws `RAFT_SNAPSHOT_INVALID`. */
  check(section: Uint8Array): void {
    assert(!this.isComplete, 'sections are missing');
    if (section.length > SECTION_CONTENT_MAX) throw invalid('a section is too large');
    if (contentDigest(section) !== this.#manifest.sections[this.#count]) {
      throw invalid(`section ${this.#count} differs from its digest`);
    }
    try {
      for (const record of this.#reader.read(section)) this.#sum.add(record);
      if (this.#count + 1 === this.#manifest.sections.length) this.#reader.finish();
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      throw invalid(error.message, error);
    }
    this.#count += 1;
    this.#bytes += section.length;
    if (this.isComplete) this.#checkEnd();
  }

  #checkEnd(): void {
    if (this.#bytes !== this.#manifest.bytes) throw invalid('the size differs');
    if (!this.#sum.equals(this.#manifest)) throw invalid('the records differ from their digest');
  }
}

function invalid(problem: string, cause?: unknown): RaftError {
  return new RaftError('RAFT_SNAPSHOT_INVALID', { problem }, { cause });
}
