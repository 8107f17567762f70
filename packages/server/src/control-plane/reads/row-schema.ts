import { printDataType, type RelayModel, type SchemaField } from '@nervix/model';
import { type DomainModels, findModel } from '@nervix/planner';
import type { StreamOpened, WireField } from '@nervix/protocol';

/** First line of a row stream: what its rows look like. */
export function openedLine(domain: string, relay: RelayModel, models: DomainModels): Uint8Array {
  const branch =
    relay.branching.kind === 'branched_by'
      ? findModel(models, 'branch', relay.branching.branch)
      : undefined;
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

function wireFields(models: DomainModels, schema: string): readonly WireField[] {
  return (findModel(models, 'schema', schema)?.fields ?? []).map(wireField);
}

function wireField({ name, type, optional, sensitive }: SchemaField): WireField {
  return { name, type: printDataType(type), nullable: optional, sensitive };
}
