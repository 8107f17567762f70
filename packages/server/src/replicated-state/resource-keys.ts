import type { ResourceStateRecord, ResourceUploadRecord } from './resource-records.js';

export function resourceKey(domain: string, name: string): string {
  return `resource/${domain}/${name}`;
}
export function resourceVersionKey(domain: string, name: string, version: number): string {
  return `resource-version/${domain}/${name}/${version}`;
}
/** Identities hold no slash. */
export function resourceUploadKey(
  domain: string,
  resource: string,
  { owner, identity }: Pick<ResourceUploadRecord, 'owner' | 'identity'>,
): string {
  return `resource-upload/${domain}/${resource}/${identity}/${owner.user}/${owner.incarnation}`;
}
export function resourceCatalogKey(domain: string): string {
  return `resource-catalog/${domain}`;
}

/** The one key that a record about resources may stand under. */
export function resourceRecordKey(record: ResourceStateRecord): string {
  switch (record.kind) {
    case 'resource':
      return resourceKey(record.domain, record.name);
    case 'resource_version':
      return resourceVersionKey(record.domain, record.resource, record.version);
    case 'resource_upload':
      return resourceUploadKey(record.domain, record.resource, record);
    case 'resource_catalog':
      return resourceCatalogKey(record.domain);
  }
}
