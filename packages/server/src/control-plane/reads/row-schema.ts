import {
  type DataType,
  type Model,
  printDataType,
  type RelayModel,
  type SchemaField,
} from '@nervix/model';
import { type DomainModels, findModel } from '@nervix/planner';
import type { StreamOpened, WireField } from '@nervix/protocol';
import type { RowField, RowScalar, RowSchema, RowType } from '@nervix/protocol/session';

/** First line of a row stream: what its rows look like. */
export function openedLine(domain: string, relay: RelayModel, models: DomainModels): Uint8Array {
  const branch = branchOf(relay, models);
  const record: StreamOpened = {
    opened: {
      domain,
      relay: relay.name,
      schema: {
        fields: wireFields(models, relay.schema),
        ...(branch === undefined
          ? {}
          : { branch: { branch: branch.name, fields: wireFields(models, branch.schema) } }),
      },
    },
  };
  return new TextEncoder().encode(`${JSON.stringify(record)}\n`);
}

/** What the rows of a subscription of a session look like. */
export function rowSchema(relay: RelayModel, models: DomainModels): RowSchema {
  const branch = branchOf(relay, models);
  return {
    fields: rowFields(models, relay.schema),
    ...(branch === undefined
      ? {}
      : { branch: { branch: branch.name, fields: rowFields(models, branch.schema) } }),
  };
}

/** The branch that a relay is branched by; undefined of one that is unbranched. */
function branchOf(
  { branching }: RelayModel,
  models: DomainModels,
): Extract<Model, { kind: 'branch' }> | undefined {
  return branching.kind === 'branched_by'
    ? findModel(models, 'branch', branching.branch)
    : undefined;
}

function rowFields(models: DomainModels, schema: string): readonly RowField[] {
  const fields = findModel(models, 'schema', schema)?.fields ?? [];
  return fields.map(({ name, type, optional, sensitive }) => ({
    name,
    type: rowType(type),
    nullable: optional,
    sensitive,
  }));
}

const SPELLED: Partial<Readonly<Record<string, RowScalar>>> = {
  BOOL: 'Bool',
  STRING: 'String',
  BYTES: 'Bytes',
  DATETIME: 'Datetime',
};

function rowType(type: DataType): RowType {
  if (typeof type === 'string') return { t: SPELLED[type] ?? (type as RowScalar) };
  const element = rowType(type.element);
  return 'length' in type
    ? { t: 'FixedList', element, length: type.length }
    : { t: 'List', element };
}

function wireFields(models: DomainModels, schema: string): readonly WireField[] {
  return (findModel(models, 'schema', schema)?.fields ?? []).map(wireField);
}

function wireField({ name, type, optional, sensitive }: SchemaField): WireField {
  return { name, type: printDataType(type), nullable: optional, sensitive };
}
