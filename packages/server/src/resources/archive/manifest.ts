import { createHash } from 'node:crypto';

/** One file or directory of a version. */
export type ManifestEntry =
  | {
      readonly type: 'file';
      /** Relative, with slashes. */
      readonly path: string;
      /** Bytes. */
      readonly size: number;
      /** SHA-256 of the content, 64 lower-case hexadecimal digits. */
      readonly checksum: string;
    }
  | { readonly type: 'directory'; readonly path: string };

/** What a version holds. Plain data; the same archive always gives the same manifest. */
export interface Manifest {
  readonly version: 1;
  readonly archive: {
    /** SHA-256 of the archive as it was sent, 64 lower-case hexadecimal digits. */
    readonly digest: string;
    readonly bytes: number;
  };
  /** By path, in the order of their UTF-16 code units. */
  readonly entries: readonly ManifestEntry[];
}

/** What a manifest comes to. */
export interface ManifestFigures {
  /** Of what the version holds: equal for archives that only differ in how they were packed. */
  readonly rootChecksum: string;
  /** Of the manifest itself. */
  readonly manifestChecksum: string;
  readonly fileCount: number;
  /** Bytes of all files. */
  readonly totalBytes: number;
}

/** A manifest of entries in any order. */
export function manifestOf(
  archive: Manifest['archive'],
  entries: readonly ManifestEntry[],
): Manifest {
  const ordered = [...entries].sort((left, right) => (left.path < right.path ? -1 : 1));
  return { version: 1, archive, entries: ordered };
}

/** The bytes that a manifest is stored as; equal manifests have equal bytes. */
export function encodeManifest({ version, archive, entries }: Manifest): Buffer {
  const { digest, bytes } = archive;
  const lines = entries.map((entry) =>
    entry.type === 'file'
      ? JSON.stringify(['file', entry.path, entry.size, entry.checksum])
      : JSON.stringify(['directory', entry.path]),
  );
  return Buffer.from(`${[JSON.stringify({ version, digest, bytes }), ...lines].join('\n')}\n`);
}

/**
 * Reads what {@link encodeManifest} wrote. The caller has compared the checksum of the bytes.
 *
 * @throws SyntaxError for bytes that are no manifest
 */
export function decodeManifest(encoded: Uint8Array): Manifest {
  const [head = '', ...lines] = new TextDecoder('utf-8', { fatal: true })
    .decode(encoded)
    .trimEnd()
    .split('\n');
  const { version, digest, bytes } = JSON.parse(head) as {
    version: 1;
    digest: string;
    bytes: number;
  };
  if (version !== 1) throw new SyntaxError(`manifests of version ${String(version)} are unknown`);
  const entries = lines.map((line): ManifestEntry => {
    const [type, path, size = 0, checksum = ''] = JSON.parse(line) as [
      ManifestEntry['type'],
      string,
      number?,
      string?,
    ];
    return type === 'file' ? { type, path, size, checksum } : { type, path };
  });
  return { version, archive: { digest, bytes }, entries };
}

/** Checksums and counts of a manifest. */
export function manifestFigures(manifest: Manifest): ManifestFigures {
  const root = createHash('sha256').update('nervix resource tree 1\n');
  let fileCount = 0;
  let totalBytes = 0;
  for (const entry of manifest.entries) {
    if (entry.type === 'directory') {
      root.update(`${JSON.stringify(['directory', entry.path])}\n`);
      continue;
    }
    fileCount += 1;
    totalBytes += entry.size;
    root.update(`${JSON.stringify(['file', entry.path, entry.size, entry.checksum])}\n`);
  }
  const manifestChecksum = createHash('sha256').update(encodeManifest(manifest)).digest('hex');
  return { rootChecksum: root.digest('hex'), manifestChecksum, fileCount, totalBytes };
}
