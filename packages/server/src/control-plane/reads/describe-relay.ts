import {
  isNumericType,
  type LiteralBinding,
  type LiteralValue,
  printDataType,
  type RelayModel,
  type SchemaField,
} from '@nervix/model';
import { type DomainModels, findModel } from '@nervix/planner';
import type { BranchLiterals } from '@nervix/runtime/data-plane';
import type { DescribeSubject } from './describe-subject.js';
import { nodeMetricsBlock } from './metrics-block.js';

/** Text of DESCRIBE RELAY without WHERE. */
export function describeRelay(
  relay: RelayModel,
  models: DomainModels,
  subject: DescribeSubject,
): string {
  const { owner, replicas } = subject.assignmentOf('relay', relay.name);
  const isBranched = relay.branching.kind === 'branched_by';
  const fields = branchFields(relay, models).map(({ name }) => name);
  return [
    `relay: ${relay.name}`,
    'kind: RELAY',
    `owner: ${owner}`,
    `replicas: ${replicas}`,
    `schema: ${relay.schema}`,
    `branched by: ${relay.branching.kind === 'branched_by' ? relay.branching.branch : 'UNBRANCHED'}`,
    `branch fields: ${fields.length === 0 ? '-' : fields.join(', ')}`,
    `capacity: ${relay.capacity}`,
    `materialized state: ${relay.materialized ? 'present' : 'none'}`,
    ...(isBranched ? ['branch-local describe: use WHERE bindings'] : []),
    ...nodeMetricsBlock(subject.status.metrics, 'RELAY', relay.name, relay.capacity),
  ].join('\n');
}

export type RelayKeyDescription =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'ready';
      /** Values of the key fields by name, as literals. */
      readonly key: BranchLiterals;
      print(exists: boolean): string;
    };

/** Checks the WHERE bindings of DESCRIBE RELAY against the branch's key fields. */
export function describeRelayKey(
  relay: RelayModel,
  models: DomainModels,
  subject: DescribeSubject,
  bindings: readonly LiteralBinding[],
): RelayKeyDescription {
  const refused = (reason: string): RelayKeyDescription => ({ kind: 'refused', reason });
  if (relay.branching.kind === 'unbranched') {
    return refused(`stream '${relay.name}' is not branched and does not accept WHERE bindings`);
  }
  const fields = branchFields(relay, models);
  const names = fields.map(({ name }) => name);
  const key: Record<string, string | boolean> = {};
  for (const { field, value } of bindings) {
    if (field in key) {
      return refused(`subscription binding '${field}' is specified more than once`);
    }
    const declared = fields.find(({ name }) => name === field);
    if (declared !== undefined && !fits(declared, value)) {
      return refused(
        `subscription binding '${field}' expects ${expectedLiteral(declared)} literal ` +
          `for type ${printDataType(declared.type)}`,
      );
    }
    key[field] = value.kind === 'number' ? value.text : value.value;
  }
  if (bindings.length !== names.length || names.some((name) => !(name in key))) {
    return refused(
      `subscription bindings for relay '${relay.name}' must exactly match (${names.join(', ')})`,
    );
  }
  return {
    kind: 'ready',
    key,
    print: (exists) =>
      [
        exists ? 'exists' : 'not exists',
        ...(exists ? [`capacity: ${relay.capacity}`] : []),
        ...(subject.domain.status === 'running'
          ? nodeMetricsBlock(subject.status.metrics, 'RELAY', relay.name, relay.capacity)
          : []),
      ].join('\n'),
  };
}

function branchFields(relay: RelayModel, models: DomainModels): readonly SchemaField[] {
  if (relay.branching.kind === 'unbranched') return [];
  const branch = findModel(models, 'branch', relay.branching.branch);
  return branch === undefined ? [] : (findModel(models, 'schema', branch.schema)?.fields ?? []);
}

function fits({ type }: SchemaField, { kind }: LiteralValue): boolean {
  if (isNumericType(type)) return kind === 'number';
  if (type === 'BOOL') return kind === 'boolean';
  return kind === 'string' && typeof type === 'string';
}

function expectedLiteral({ type }: SchemaField): string {
  if (isNumericType(type)) return 'numeric';
  if (type === 'BOOL') return 'boolean';
  if (type === 'DATETIME') return 'RFC3339 datetime string';
  return typeof type === 'string' ? 'string' : 'array';
}
