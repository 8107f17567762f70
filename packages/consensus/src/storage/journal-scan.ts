import { BLOCK_BYTES, type JournalFrame, readFrame } from './journal-frame.ts';

/** A frame and the number of the file that it lies in. */
export interface FoundFrame extends JournalFrame {
  readonly file: number;
}

/** What the files of a journal hold. */
export interface FoundJournal {
  /** The frame that was written last. */
  readonly newest: FoundFrame;
  /** Batches that the database may lack, in order: those behind `newest.base`. */
  readonly batches: readonly FoundFrame[];
  /** Newest batch in each of the files; 0 for none. */
  readonly newestSeqs: readonly bigint[];
}

/** A batch that must be in the journal is not. */
export interface MissingFrame {
  readonly seq: bigint;
  /** Where it should begin, if that is known: behind the batch before it. */
  readonly after: FoundFrame | undefined;
}

/**
 * Finds the frames in the files of a journal. A frame that is not whole is as if it had never been:
 * the last one may have been cut off while it was written, and one that is not needed any more may be
 * partly written over. Gives the batch that is missing when one of those that are needed is not
 * whole, and `undefined` when there is no frame at all.
 */
export function scanJournal(
  files: readonly Uint8Array[],
): FoundJournal | { readonly missing: MissingFrame } | undefined {
  const frames = files.flatMap((bytes, file) => framesIn(bytes, file));
  const [first] = frames;
  if (first === undefined) return undefined;
  const newest = frames.reduce((left, right) => (right.ordinal > left.ordinal ? right : left));
  const bySeq = new Map<bigint, FoundFrame>();
  const newestSeqs = files.map(() => 0n);
  for (const frame of frames) {
    const { seq, file, ordinal } = frame;
    if (seq > (newestSeqs[file] ?? 0n)) newestSeqs[file] = seq;
    const other = bySeq.get(seq);
    const isNewer = other === undefined || ordinal > other.ordinal;
    if (frame.payload.length > 0 && isNewer) bySeq.set(seq, frame);
  }
  const batches: FoundFrame[] = [];
  for (let seq = newest.base + 1n; seq <= newest.seq; seq += 1n) {
    const frame = bySeq.get(seq);
    if (frame === undefined) return { missing: { seq, after: batches.at(-1) } };
    batches.push(frame);
  }
  return { newest, batches, newestSeqs };
}

function framesIn(bytes: Uint8Array, file: number): readonly FoundFrame[] {
  const frames: FoundFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const frame = readFrame(bytes, at);
    if (frame !== undefined) frames.push({ ...frame, file });
    at = frame?.end ?? at + BLOCK_BYTES;
  }
  return frames;
}
