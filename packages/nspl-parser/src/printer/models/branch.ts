import type { BranchModel } from '@nervix/model';

export function printBranch(model: BranchModel, create: string): string {
  const { name, schema, ttl, maxInstances } = model;
  const bound = maxInstances === null ? '' : ` MAX INSTANCES ${maxInstances} EVICT LRU`;
  return `${create} BRANCH ${name} SCHEMA ${schema} TTL ${ttl}${bound};`;
}
