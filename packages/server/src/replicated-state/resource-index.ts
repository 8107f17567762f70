import type { StateRecord } from './records.js';
import type {
  ResourceRecord,
  ResourceStateRecord,
  ResourceUploadRecord,
  ResourceVersionRecord,
} from './resource-records.js';

interface IndexedDomain {
  readonly declared: Map<string, ResourceRecord>;
  /** By resource and number. */
  readonly versions: Map<string, Map<number, ResourceVersionRecord>>;
  /** By resource, user and identity. */
  readonly uploads: Map<string, ResourceUploadRecord>;
}

/** The resources of all domains, with their versions and what uploads were taken. */
export class ResourceIndex {
  readonly #domains = new Map<string, IndexedDomain>();

  /** Takes the newest state of a record; those about anything else are none of its business. */
  put(record: StateRecord): void {
    switch (record.kind) {
      case 'resource':
        this.#of(record.domain).declared.set(record.name, record);
        break;
      case 'resource_version':
        versionsOf(this.#of(record.domain), record.resource).set(record.version, record);
        break;
      case 'resource_upload':
        this.#of(record.domain).uploads.set(uploadKey(record.resource, record), record);
        break;
      default:
    }
  }

  remove(record: StateRecord): void {
    switch (record.kind) {
      case 'resource':
        this.#of(record.domain).declared.delete(record.name);
        break;
      case 'resource_version':
        versionsOf(this.#of(record.domain), record.resource).delete(record.version);
        break;
      case 'resource_upload':
        this.#of(record.domain).uploads.delete(uploadKey(record.resource, record));
        break;
      default:
    }
  }

  /** The declared resources of a domain, by name. */
  declared(domain: string): readonly ResourceRecord[] {
    return [...(this.#domains.get(domain)?.declared.values() ?? [])].sort((left, right) =>
      left.name < right.name ? -1 : 1,
    );
  }

  resource(domain: string, name: string): ResourceRecord | undefined {
    return this.#domains.get(domain)?.declared.get(name);
  }

  /** Versions of a resource in any state, ascending. */
  versions(domain: string, name: string): readonly ResourceVersionRecord[] {
    return [...(this.#domains.get(domain)?.versions.get(name)?.values() ?? [])].sort(
      (left, right) => left.version - right.version,
    );
  }

  version(domain: string, name: string, version: number): ResourceVersionRecord | undefined {
    return this.#domains.get(domain)?.versions.get(name)?.get(version);
  }

  /** What an upload identity of a user was used for. */
  upload(
    domain: string,
    resource: string,
    upload: Pick<ResourceUploadRecord, 'owner' | 'identity'>,
  ): ResourceUploadRecord | undefined {
    return this.#domains.get(domain)?.uploads.get(uploadKey(resource, upload));
  }

  /** Every record about the resources of a domain that is indexed here. */
  *recordsOf(domain: string): Generator<ResourceStateRecord> {
    const indexed = this.#domains.get(domain);
    if (indexed === undefined) return;
    yield* indexed.declared.values();
    for (const versions of indexed.versions.values()) yield* versions.values();
    yield* indexed.uploads.values();
  }

  /** Versions of all domains. */
  *everyVersion(): Generator<ResourceVersionRecord> {
    for (const { versions } of this.#domains.values()) {
      for (const numbered of versions.values()) yield* numbered.values();
    }
  }

  #of(domain: string): IndexedDomain {
    let indexed = this.#domains.get(domain);
    if (indexed === undefined) {
      indexed = { declared: new Map(), versions: new Map(), uploads: new Map() };
      this.#domains.set(domain, indexed);
    }
    return indexed;
  }
}

function versionsOf(indexed: IndexedDomain, name: string): Map<number, ResourceVersionRecord> {
  let versions = indexed.versions.get(name);
  if (versions === undefined) {
    versions = new Map();
    indexed.versions.set(name, versions);
  }
  return versions;
}

function uploadKey(
  resource: string,
  { owner, identity }: Pick<ResourceUploadRecord, 'owner' | 'identity'>,
): string {
  return `${resource}/${identity}/${owner.user}/${owner.incarnation}`;
}
