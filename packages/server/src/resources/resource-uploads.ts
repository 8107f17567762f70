import type { ErrorBody, ErrorCode, ResourceInstalled } from '@nervix/protocol';
import { UPLOAD_IDENTITY } from '@nervix/protocol';
import { storageFailureOutcome } from '../control-plane/storage-failure.js';
import { resourceKey, resourceUploadKey } from '../replicated-state/resource-keys.js';
import type {
  ResourceRecord,
  ResourceVersionRecord,
} from '../replicated-state/resource-records.js';
import type { UserIdentity } from '../replicated-state/user-identity.js';
import { ArchiveFault, type ArchiveFaultKind } from './archive/archive-fault.js';
import { manifestFigures } from './archive/manifest.js';
import { versionName } from './resource-catalog.js';
import { StoppedError } from './stopped-error.js';
import type { StagedArchive } from './store/resource-store.js';
import type { CompletionContext, VersionCompletion } from './version-completion.js';

/** An archive that a user sends as the next version of a resource. */
export interface UploadRequest {
  readonly owner: UserIdentity;
  readonly domain: string;
  readonly resource: string;
  /** Chosen by the user: what is sent again under it takes effect once. */
  readonly identity: string;
  /** Announced size of the body. */
  readonly bytes: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What an upload came to. */
export type UploadReply =
  | { readonly kind: 'installed'; readonly value: ResourceInstalled }
  | { readonly kind: 'refused'; readonly error: ErrorBody['error'] };

/** Uploads that are taken at once; each holds a connection and its share of the disk. */
const UPLOADS_MAX = 8;

const FAULT_CODES: Readonly<Record<ArchiveFaultKind, ErrorCode>> = {
  invalid_stream: 'INVALID_STREAM',
  size_mismatch: 'SIZE_MISMATCH',
  quota_exceeded: 'QUOTA_EXCEEDED',
};

/** Why the disk takes nothing more. */
const DISK_FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

interface AdmittedUpload {
  readonly version: ResourceVersionRecord;
  readonly isRecovered: boolean;
}

/** Takes uploads: keeps the archive, gives it the next version, and sees it to every node. */
export class ResourceUploads {
  readonly #context: CompletionContext;
  readonly #completion: VersionCompletion;
  readonly #running = new Set<Promise<UploadReply>>();

  constructor(context: CompletionContext, completion: VersionCompletion) {
    this.#context = context;
    this.#completion = completion;
  }

  /** Takes an upload; never rejects for a refusal. */
  async upload(request: UploadRequest): Promise<UploadReply> {
    const refusal = this.#admissionRefusal(request);
    if (refusal !== undefined) return refusal;
    const run = this.#take(request);
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Resolves when every upload that was being taken has its outcome. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running]);
    await this.#completion.idle();
  }

  /** What is known before a byte of the body is read. */
  #admissionRefusal({ domain, resource, identity }: UploadRequest): UploadReply | undefined {
    const { state } = this.#context.log;
    if (!UPLOAD_IDENTITY.test(identity)) {
      const message = 'an upload identity is 1 to 128 letters, digits, dots, underscores or dashes';
      return refused('INVALID_REQUEST', message);
    }
    if (state.domain(domain) === undefined) {
      return refused('NOT_FOUND', `domain '${domain}' does not exist`);
    }
    if (state.resources.resource(domain, resource) === undefined) return notDeclared(resource);
    if (this.#running.size >= UPLOADS_MAX) {
      return refused('SERVER_BUSY', `${UPLOADS_MAX} uploads are being taken already`);
    }
    return undefined;
  }

  async #take(request: UploadRequest): Promise<UploadReply> {
    const { store, logger } = this.#context;
    let staged: StagedArchive;
    try {
      staged = await store.stage({ bytes: request.bytes }, request.body);
    } catch (error) {
      return stagingRefusal(error);
    }
    const release = store.hold(staged.manifest.archive.digest);
    try {
      return await this.#install(request, staged);
    } catch (error) {
      if (error instanceof StoppedError) {
        const message = 'the node stopped during the upload; the outcome is unknown';
        return refused('OUTCOME_UNKNOWN', message);
      }
      const outcome = storageFailureOutcome(error);
      if (outcome?.kind !== 'failed') throw error;
      const { domain, resource } = request;
      logger.error('an upload met a failure of the log', { domain, resource }, error);
      return refused(outcome.code, outcome.message);
    } finally {
      release();
      await staged.discard();
    }
  }

  async #install(request: UploadRequest, staged: StagedArchive): Promise<UploadReply> {
    const known = this.#knownUpload(request, staged);
    if (known !== undefined && 'kind' in known) return known;
    // Before it is admitted: a version that the catalog names is always on the node that took it.
    await staged.install();
    const admitted = known ?? (await this.#admit(request, staged));
    if ('kind' in admitted) return admitted;
    const settled = await this.#completion.settle(admitted.version);
    return uploadReply(request, settled, admitted.isRecovered);
  }

  /** What the identity was used for before, or undefined. */
  #knownUpload(
    request: UploadRequest,
    { manifest }: StagedArchive,
  ): AdmittedUpload | UploadReply | undefined {
    const { domain, resource, identity } = request;
    const { resources } = this.#context.log.state;
    const upload = resources.upload(domain, resource, request);
    if (upload === undefined) return undefined;
    const version = resources.version(domain, resource, upload.version);
    if (upload.digest === manifest.archive.digest && version !== undefined) {
      return { version, isRecovered: true };
    }
    const message = `upload identity '${identity}' was already used with another archive`;
    return refused('DIGEST_CONFLICT', message);
  }

  async #admit(
    request: UploadRequest,
    staged: StagedArchive,
  ): Promise<AdmittedUpload | UploadReply> {
    const { log, logger } = this.#context;
    const { domain, resource: name, owner } = request;
    const resource = log.state.resources.resource(domain, name);
    if (resource === undefined) return notDeclared(name);
    const { nextVersion } = resource;
    if (!Number.isSafeInteger(nextVersion + 1)) {
      return refused('LIMIT_REACHED', `resource '${name}' has no version number left`);
    }
    const version = this.#published(request, resource, staged);
    const key = resourceKey(domain, name);
    const digest = version.archiveDigest;
    const { identity } = request;
    const upload = { domain, resource: name, owner, identity, digest, version: nextVersion };
    const result = await log.write({
      fences: [
        { key, revision: log.state.revisionOf(key) },
        { key: resourceUploadKey(domain, name, request), revision: 0 },
      ],
      put: [
        { ...resource, nextVersion: nextVersion + 1 },
        version,
        { kind: 'resource_upload', ...upload },
      ],
    });
    if (result.kind === 'applied') {
      logger.info('resource version admitted', { domain, resource: name, version: nextVersion });
      return { version, isRecovered: false };
    }
    // Another upload was faster: with this identity, or with this number.
    return this.#knownUpload(request, staged) ?? this.#admit(request, staged);
  }

  #published(
    { domain }: UploadRequest,
    { name, nextVersion }: ResourceRecord,
    { manifest }: StagedArchive,
  ): ResourceVersionRecord {
    const { nodeId: node, nowMs, peers } = this.#context;
    const { rootChecksum, ...figures } = manifestFigures(manifest);
    const createdAtMs = nowMs();
    const pending = { checksum: null, verifiedAtMs: null, source: null, error: null };
    return {
      kind: 'resource_version',
      domain,
      resource: name,
      version: nextVersion,
      state: 'published',
      archiveDigest: manifest.archive.digest,
      archiveBytes: manifest.archive.bytes,
      rootChecksum,
      ...figures,
      createdByNode: node,
      createdAtMs,
      replicas: [
        {
          node,
          state: 'ready',
          checksum: rootChecksum,
          verifiedAtMs: createdAtMs,
          source: node,
          error: null,
        },
        ...peers().map((peer) => ({ node: peer.node, state: 'pending' as const, ...pending })),
      ],
    };
  }
}

function uploadReply(
  { identity }: UploadRequest,
  version: ResourceVersionRecord,
  isRecovered: boolean,
): UploadReply {
  if (version.state === 'failed') {
    const replica = version.replicas.find(({ state }) => state === 'failed');
    const reason =
      replica === undefined ? '' : ` on node '${replica.node}': ${replica.error ?? 'unknown'}`;
    const message = `resource '${versionName(version)}' could not be installed${reason}`;
    return refused('INSTALLATION_FAILED', message, version.version);
  }
  const value: ResourceInstalled = {
    upload_identity: identity,
    version: version.version,
    origin: isRecovered ? 'Recovered' : 'Executed',
    message: `uploaded resource version ${version.version}`,
  };
  return { kind: 'installed', value };
}

function notDeclared(resource: string): UploadReply {
  return refused('RESOURCE_NOT_DECLARED', `resource '${resource}' does not exist`);
}

/** Why an archive was not taken. An end of the body without an end of the archive is the sender's. */
function stagingRefusal(error: unknown): UploadReply {
  if (error instanceof ArchiveFault) return refused(FAULT_CODES[error.kind], error.message);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (DISK_FULL.has(code)) {
    return refused('STORAGE_FAILED', 'the disk of this node has no room for the archive');
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return refused('SIZE_MISMATCH', 'the archive ended before all of its bytes came');
  }
  throw error;
}

function refused(code: ErrorCode, message: string, assignedVersion?: number): UploadReply {
  return {
    kind: 'refused',
    error: {
      code,
      message,
      diagnostics: [{ message }],
      ...(assignedVersion === undefined ? {} : { assigned_version: assignedVersion }),
    },
  };
}
