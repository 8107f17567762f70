import { createHash } from 'node:crypto';
import path from 'node:path';
import { type DurableFiles, syncAll, type WritableFile } from '../store/durable-files.js';
import { ArchiveFault, invalidStream } from './archive-fault.js';
import type { ArchiveLimits } from './archive-limits.js';
import { type Manifest, manifestOf } from './manifest.js';
import { TreeWriter } from './tree-writer.js';

/** Names of what a version consists of on disk. */
export const VERSION_FILES = {
  archive: 'archive.tar',
  manifest: 'manifest',
  tree: 'tree',
} as const;

/** How an archive is announced before its bytes come. */
export interface ArchiveOffer {
  readonly bytes: number;
  /** SHA-256 that the archive must have; absent where the sender leaves it to the receiver. */
  readonly digest?: string;
}

/** Where and how far an archive is taken. */
export interface ReceiveOptions {
  readonly files: DurableFiles;
  /** An empty folder of its own. */
  readonly directory: string;
  readonly limits: ArchiveLimits;
}

/**
 * Takes an archive as it comes: keeps it, unpacks it beside it and checks it, each chunk once. All of
 * it is durable when this resolves, except the name of the folder itself.
 *
 * @throws ArchiveFault when the archive is refused; the caller removes the folder then
 */
export async function receiveArchive(
  { files, directory, limits }: ReceiveOptions,
  offer: ArchiveOffer,
  body: AsyncIterable<Uint8Array>,
): Promise<Manifest> {
  checkOffer(offer, limits);
  const tree = await TreeWriter.open(files, path.join(directory, VERSION_FILES.tree), limits);
  const archivePath = path.join(directory, VERSION_FILES.archive);
  const archive = await files.createFile(archivePath);
  const digest = createHash('sha256');
  try {
    await takeChunks(body, offer, async (chunk) => {
      digest.update(chunk);
      await archive.write(chunk);
      await tree.write(chunk);
    });
    tree.end();
  } finally {
    await closeAll([archive, tree]);
  }
  const found = digest.digest('hex');
  if (offer.digest !== undefined && offer.digest !== found) {
    throw invalidStream('the archive does not have the digest that it was announced with');
  }
  const manifest = manifestOf({ digest: found, bytes: offer.bytes }, tree.entries());
  await syncAll(files, [archivePath, ...tree.paths()]);
  return manifest;
}

function checkOffer({ bytes }: ArchiveOffer, { archiveBytesMax }: ArchiveLimits): void {
  if (bytes > archiveBytesMax) {
    const message = `the archive has ${bytes} bytes; at most ${archiveBytesMax} are taken`;
    throw new ArchiveFault('quota_exceeded', message);
  }
}

async function takeChunks(
  body: AsyncIterable<Uint8Array>,
  { bytes }: ArchiveOffer,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > bytes) throw mismatch('more', bytes);
    await take(chunk);
  }
  if (received < bytes) throw mismatch('fewer', bytes);
}

function mismatch(kind: 'more' | 'fewer', bytes: number): ArchiveFault {
  return new ArchiveFault('size_mismatch', `the archive has ${kind} than its ${bytes} bytes`);
}

/** Closes what is open; what goes wrong there matters less than why it is closed. */
async function closeAll(open: readonly (WritableFile | TreeWriter)[]): Promise<void> {
  await Promise.allSettled(open.map((each) => each.close()));
}
