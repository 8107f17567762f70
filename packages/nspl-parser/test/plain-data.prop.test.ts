import {
  equalData,
  MODEL_KINDS,
  modelDigest,
  type Statement,
  type StatementKind,
} from '@nervix/model';
import fc from 'fast-check';
import { pack, unpack } from 'msgpackr';
import { expect, test } from 'vitest';
import { printStatement } from '../src/index.ts';
import { statement } from './support/arbitraries.ts';
import { read } from './support/reading.ts';

const numRuns = Number(process.env['PROP_RUNS'] ?? 400);

/** Every kind, by the compiler's word. */
const STATEMENT_KINDS: Readonly<Record<StatementKind, true>> = {
  alter_cluster: true,
  alter_delegation: true,
  alter_domain: true,
  alter_model: true,
  alter_node: true,
  alter_policy: true,
  alter_pool: true,
  alter_project: true,
  alter_role: true,
  alter_user: true,
  apply_plan: true,
  approve_plan: true,
  attach_domain_clock: true,
  attach_transaction: true,
  backup: true,
  begin: true,
  cancel_operation: true,
  commit: true,
  compensate_operation: true,
  cordon_node: true,
  create_delegation: true,
  create_domain: true,
  create_model: true,
  create_policy: true,
  create_pool: true,
  create_project: true,
  create_resource: true,
  create_role: true,
  create_subscription: true,
  create_user: true,
  delete_subscription: true,
  describe_backup: true,
  describe_domain: true,
  describe_model: true,
  describe_operation: true,
  describe_rebalance: true,
  describe_relay: true,
  describe_relocation: true,
  describe_resource: true,
  describe_revisions: true,
  describe_transaction: true,
  describe_wasm_processor: true,
  detach_domain_clock: true,
  drain_node: true,
  drop_delegation: true,
  drop_domain: true,
  drop_model: true,
  drop_node: true,
  drop_policy: true,
  drop_pool: true,
  drop_project: true,
  drop_role: true,
  drop_secret: true,
  drop_user: true,
  explain: true,
  explain_placement: true,
  grant: true,
  list_domains: true,
  lookup: true,
  plan: true,
  promote_domain: true,
  quarantine_node: true,
  rebalance: true,
  rebind_resource: true,
  release_node: true,
  relocate: true,
  reset_wasm_processor: true,
  resolve_operation: true,
  restore: true,
  revert: true,
  revoke: true,
  show_audit: true,
  show_cluster_status: true,
  show_create: true,
  show_grants: true,
  show_ingestors: true,
  show_inventory: true,
  show_materialized_state: true,
  show_operations: true,
  show_placements: true,
  show_transactions: true,
  show_udfs: true,
  start: true,
  stop: true,
  uncordon_node: true,
  upload_resource: true,
  use: true,
  with_suffixes: true,
};

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

test('what is read is plain data: frozen, and the same behind JSON and MessagePack', () => {
  fc.assert(
    fc.property(statement, (original) => {
      const model = read(printStatement(original, { withSecrets: true }));
      expect(isFrozen(model)).toBe(true);
      for (const copy of [JSON.parse(JSON.stringify(model)), unpack(pack(model))] as Statement[]) {
        expect(equalData(copy, model)).toBe(true);
        expect(modelDigest(copy)).toBe(modelDigest(model));
      }
      expect(modelDigest(original)).toBe(modelDigest(model));
    }),
    { numRuns },
  );
});

test('the generated statements are of every kind, and so are the models among them', () => {
  const statements = fc.sample(statement, { numRuns: 60_000, seed: 1 });
  const kinds = new Set(statements.map(({ kind }) => kind));
  expect(Object.keys(STATEMENT_KINDS).filter((kind) => !kinds.has(kind as StatementKind))).toEqual(
    [],
  );
  const models = new Set(
    statements.map((made) => (made.kind === 'create_model' ? made.model.kind : undefined)),
  );
  expect(MODEL_KINDS.filter((kind) => !models.has(kind))).toEqual([]);
});
