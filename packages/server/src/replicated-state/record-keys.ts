import type { ModelKind } from '@nervix/model';
import type { GraphKey } from '@nervix/scheduler';
import type { StateRecord } from './records.js';
import { resourceRecordKey } from './resource-keys.js';
import { secretRecordKey } from './secret-records.js';

export const HISTORY_KEY = 'history';

export function userKey(name: string): string {
  return `user/${name}`;
}
export function domainKey(name: string): string {
  return `domain/${name}`;
}
export function modelRecordKey(domain: string, kind: ModelKind, name: string): string {
  return `model/${domain}/${kind}/${name}`;
}
export function scheduleKey(domain: string): string {
  return `schedule/${domain}`;
}
/** @param node the graph node, its kind as schedules spell it */
export function assignmentKey(domain: string, node: GraphKey): string {
  return `assignment/${domain}/${node.kind}/${node.name}`;
}
export function cordonKey(node: string): string {
  return `cordon/${node}`;
}
export function leaseKey(domain: string): string {
  return `lease/${domain}`;
}
export function transactionKey(id: string): string {
  return `transaction/${id}`;
}
export function executionKey(reference: string): string {
  return `execution/${reference}`;
}
export function operationKey(transaction: string, number: number): string {
  return `operation/${transaction}/${number}`;
}
export function contentKey(transaction: string, digest: string): string {
  return `content/${transaction}/${digest}`;
}
export function latestBeginKey(domain: string): string {
  return `latest-begin/${domain}`;
}
export function referenceKey(id: string): string {
  return `reference/${id}`;
}

/** The one key a record may stand under. */
export function keyOf(record: StateRecord): string {
  switch (record.kind) {
    case 'user':
      return userKey(record.name);
    case 'domain':
      return domainKey(record.name);
    case 'model':
      return modelRecordKey(record.domain, record.model.kind, record.model.name);
    case 'schedule':
      return scheduleKey(record.domain);
    case 'assignment':
      return assignmentKey(record.domain, record.entry);
    case 'cordon':
      return cordonKey(record.node);
    case 'lease':
      return leaseKey(record.domain);
    case 'transaction':
      return transactionKey(record.id);
    case 'execution':
      return executionKey(record.reference.id);
    case 'operation':
      return operationKey(record.transaction, record.number);
    case 'content':
      return contentKey(record.transaction, record.digest);
    case 'latest_begin':
      return latestBeginKey(record.domain);
    case 'reference':
      return referenceKey(record.id);
    case 'resource':
    case 'resource_version':
    case 'resource_upload':
    case 'resource_catalog':
      return resourceRecordKey(record);
    case 'secret':
    case 'secret_catalog':
      return secretRecordKey(record);
    case 'history':
      return HISTORY_KEY;
  }
}
