import type {
  BranchModel,
  ClientModel,
  PlacementModel,
  RelayModel,
  SchemaModel,
  VhostModel,
  WireSchemaModel,
} from '@nervix/model';
import { type Aspect, type AspectRow, alteredRows, row } from './aspect.js';

/** Relays. */
export const RELAY_ROWS: readonly AspectRow<RelayModel>[] = [
  row('RELAY_CAPACITY', 'DYNAMIC', ({ capacity }) => capacity),
  row('RELAY_SCHEMA', 'DOMAIN_PAUSE', ({ schema }) => schema),
  row('RELAY_BRANCHING', 'DOMAIN_PAUSE', ({ branching }) => branching),
  row('RELAY_MATERIALIZED_STATE', 'ENTITY_PAUSE', ({ materialized }) => materialized),
];

/** Schemas of records. */
export const SCHEMA_ROWS: readonly AspectRow<SchemaModel>[] = [
  row('SCHEMA_DEFINITION', 'DOMAIN_PAUSE', ({ fields }) => fields),
];

/** Schemas of payloads. */
export const WIRE_SCHEMA_ROWS: readonly AspectRow<WireSchemaModel>[] = [
  row('WIRE_SCHEMA_DEFINITION', 'DOMAIN_PAUSE', ({ mode, fields }) => [mode, fields]),
];

/** Branches. */
export const BRANCH_ROWS: readonly AspectRow<BranchModel>[] = [
  row('BRANCH_SCHEMA', 'DOMAIN_PAUSE', ({ schema }) => schema),
  row('BRANCH_LIFECYCLE', 'DOMAIN_PAUSE', ({ ttl, maxInstances }) => [ttl, maxInstances]),
];

/** Placement rules; what moves because of one is judged by the schedule. */
export const PLACEMENT_ROWS: readonly AspectRow<PlacementModel>[] = [
  row('PLACEMENT_DEFINITION', 'DYNAMIC', (model) => model),
];

/** The one row of a kind whose consumers read it only when they are built. */
export function definitionRow(aspect: string): readonly AspectRow<unknown>[] {
  return [row(aspect, 'DOMAIN_PAUSE', (model) => model)];
}

/** Aspects of a client; one of another type is another client under the same name. */
export function clientAspects(before: ClientModel, after: ClientModel): readonly Aspect[] {
  if (before.type !== after.type) return [{ aspect: 'ENTITY_REPLACED', level: 'DYNAMIC' }];
  return alteredRows(definitionRow('CLIENT_CONFIG'), before, after);
}

const VHOST_ROWS: readonly AspectRow<VhostModel>[] = [
  row('VHOST_HOSTNAMES', 'DOMAIN_PAUSE', ({ hostnames }) => hostnames),
  row('VHOST_TLS', 'DOMAIN_PAUSE', ({ tls }) => tls?.resource ?? null),
];

/** Aspects of a virtual host; another version of the same certificates is a refresh only. */
export function vhostAspects(before: VhostModel, after: VhostModel): readonly Aspect[] {
  const found = alteredRows(VHOST_ROWS, before, after);
  const isOtherTls = found.some(({ aspect }) => aspect === 'VHOST_TLS');
  if (isOtherTls || before.tls?.version === after.tls?.version) return found;
  return [...found, { aspect: 'VHOST_TLS_VERSION', level: 'DYNAMIC' }];
}
