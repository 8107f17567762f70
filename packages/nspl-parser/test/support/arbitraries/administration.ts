import {
  AUDIT_FILTERS,
  type AuthorityScope,
  BUDGET_KEYS,
  CAPABILITIES,
  CAPACITY_KEYS,
  INVENTORY_SUBJECTS,
  type NodeOperation,
  OPERATION_FILTERS,
  type PoolOperation,
  RELOCATABLE_KINDS,
  type RelocationStatement,
  type RuntimeMember,
  type Settings,
  type Statement,
} from '@nervix/model';
import fc from 'fast-check';
import { KEYWORDS } from '../../../src/keywords.ts';
import { duration, name, positive, relayName, text } from './names.ts';
import { format, literalBindingsOf } from './reads.ts';

const few = { minLength: 1, maxLength: 3 };
const ifNotExists = fc.boolean();

/** Ids of nodes, keywords and numbers among them. */
export const nodeId: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9_]{0,3}([-.][a-z_][a-z0-9]{0,2}){0,3}$/),
  fc.constantFrom('10.0.0.1', '1', 'node-1', '0-0', 'rack-2.node-10', 'n-1.5'),
  fc.constantFrom(...KEYWORDS.map((word) => word.toLowerCase())),
);

export const member: fc.Arbitrary<RuntimeMember> = fc.record({
  kind: fc.constantFrom(...RELOCATABLE_KINDS),
  name: relayName,
});
const members = fc.array(member, few);

function settings(keys: fc.Arbitrary<string>): fc.Arbitrary<Settings> {
  return fc.array(fc.record({ key: keys, value: text }), { maxLength: 3 });
}
const labels = settings(text);
const capacity = settings(fc.constantFrom(...CAPACITY_KEYS));
const budget = settings(fc.constantFrom(...BUDGET_KEYS));
const rules = settings(fc.constantFrom('allow', 'window', 'score', 'rpo', 'owner.mode'));

const nodeOperation: fc.Arbitrary<NodeOperation> = fc.oneof(
  fc.record({ op: fc.constant('set_pool' as const), pool: name }),
  fc.record({ op: fc.constant('set_labels' as const), settings: labels }),
  fc.record({ op: fc.constant('set_capacity' as const), settings: capacity }),
  fc.record({ op: fc.constant('set_maintenance' as const), from: text, to: text }),
  fc.constantFrom(
    { op: 'drop_pool' as const },
    { op: 'drop_labels' as const },
    { op: 'drop_capacity' as const },
    { op: 'drop_maintenance' as const },
  ),
);

/** Statements about nodes that take WAIT alone. */
const waitingNodeStatement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('cordon_node' as const, 'uncordon_node' as const),
    node: nodeId,
  }),
  fc.record({
    kind: fc.constant('alter_node' as const),
    node: nodeId,
    operations: fc.array(nodeOperation, few),
  }),
  fc.record({
    kind: fc.constant('quarantine_node' as const),
    node: nodeId,
    reason: fc.option(text),
  }),
  fc.record({
    kind: fc.constant('release_node' as const),
    node: nodeId,
    evidence: fc.option(text),
  }),
  fc.record({ kind: fc.constant('alter_cluster' as const), featureLevel: positive }),
);

const strategy = fc.constantFrom('FOLLOW PREFERENCES' as const, 'IGNORE PREFERENCES' as const);
const relocation = {
  selection: fc.oneof(
    fc.record({ kind: fc.constant('members' as const), members }),
    fc.record({ kind: fc.constant('paths' as const), from: members, to: members }),
  ) satisfies fc.Arbitrary<RelocationStatement['selection']>,
  node: nodeId,
  strategy,
  overrides: fc.array(fc.record({ member, strategy }), { maxLength: 3 }),
};
const rebalance = { domain: fc.option(name), maxMoves: fc.option(positive) };

/** Statements that take ACCEPT STATE LOSS, but for RESTORE, COMMIT and APPLY PLAN. */
const losingStatement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ kind: fc.constant('relocate' as const), ...relocation }),
  fc.record({ kind: fc.constant('rebalance' as const), ...rebalance }),
  fc.record({ kind: fc.constantFrom('drain_node' as const, 'drop_node' as const), node: nodeId }),
  fc.record({ kind: fc.constant('promote_domain' as const), from: name, to: name }),
);

const scope: fc.Arbitrary<AuthorityScope> = fc.oneof(
  fc.constant({ kind: 'cluster' as const }),
  fc.record({ kind: fc.constant('project' as const), project: name }),
  fc.record({ kind: fc.constant('domain' as const), domain: name }),
  fc.record({ kind: fc.constant('pool' as const), pool: name }),
  fc.record({ kind: fc.constant('node' as const), node: nodeId }),
  fc.record({ kind: fc.constant('operation' as const), operation: text }),
  fc.record({ kind: fc.constant('member' as const), member, domain: name }),
  fc.record({ kind: fc.constant('resource' as const), resource: name, domain: name }),
);
const capabilities = fc.array(fc.constantFrom(...CAPABILITIES), few);
const granted = fc.oneof(
  fc.record({ kind: fc.constant('role' as const), role: name }),
  fc.record({ kind: fc.constant('capabilities' as const), capabilities }),
);
const grantee = fc.record({ kind: fc.constantFrom('user' as const, 'role' as const), name });
const reserve = fc.record({
  amount: fc.constantFrom('0', '2', '12.5', '1e2'),
  unit: fc.constantFrom('nodes' as const, 'percent' as const),
});
const expires = fc.oneof(
  fc.record({ kind: fc.constant('at' as const), instant: text }),
  fc.record({ kind: fc.constant('after' as const), duration }),
);

const poolOperation: fc.Arbitrary<PoolOperation> = fc.oneof(
  fc.record({ op: fc.constant('set_reserve' as const), reserve }),
  fc.record({ op: fc.constant('set_failure_domain' as const), failureDomain: text }),
  fc.record({ op: fc.constant('set_trust' as const), trust: text }),
  fc.record({ op: fc.constant('set_budget' as const), budget }),
  fc.constantFrom(
    { op: 'drop_reserve' as const },
    { op: 'drop_failure_domain' as const },
    { op: 'drop_trust' as const },
    { op: 'drop_budget' as const },
  ),
);

/** CREATE, ALTER and DROP of what rights are made of, and the grants. */
const authorityChange: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({
    kind: fc.constant('create_pool' as const),
    ifNotExists,
    name,
    reserve: fc.option(reserve),
    failureDomain: fc.option(text),
    trust: fc.option(text),
    budget: fc.option(budget),
  }),
  fc.record({
    kind: fc.constant('alter_pool' as const),
    name,
    operations: fc.array(poolOperation, few),
  }),
  fc.record({ kind: fc.constant('create_policy' as const), ifNotExists, name, scope, rules }),
  fc.record({ kind: fc.constant('alter_policy' as const), name, rules }),
  fc.record({
    kind: fc.constant('create_project' as const),
    ifNotExists,
    name,
    domains: fc.array(name, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('alter_project' as const),
    name,
    operations: fc.array(
      fc.oneof(
        fc.record({
          op: fc.constantFrom('add_domain' as const, 'drop_domain' as const),
          domain: name,
        }),
        fc.record({ op: fc.constant('rename' as const), name }),
      ),
      few,
    ),
  }),
  fc.record({ kind: fc.constant('create_role' as const), ifNotExists, name, capabilities }),
  fc.record({ kind: fc.constant('alter_role' as const), name, capabilities }),
  fc.record({
    kind: fc.constant('create_delegation' as const),
    ifNotExists,
    name,
    forUser: name,
    toUser: name,
    capabilities,
    scopes: fc.array(scope, few),
    expires,
    budget: fc.option(budget),
    runScope: fc.option(text),
    onRevoke: fc.constantFrom('FINISH STEP' as const, 'CANCEL' as const, 'FREEZE' as const),
  }),
  fc.record({
    kind: fc.constant('alter_delegation' as const),
    name,
    operations: fc.array(
      fc.oneof(
        fc.record({ op: fc.constant('set_expires' as const), expires }),
        fc.record({ op: fc.constant('set_budget' as const), budget }),
      ),
      few,
    ),
  }),
  fc.record({
    kind: fc.constant('grant' as const),
    granted,
    scope,
    grantee,
    expires: fc.option(text),
  }),
  fc.record({ kind: fc.constant('revoke' as const), granted, scope, grantee }),
  fc.record({
    kind: fc.constantFrom(
      ...(['drop_pool', 'drop_policy', 'drop_project', 'drop_role', 'drop_delegation'] as const),
    ),
    name,
  }),
);

const userOrDomainChange: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ kind: fc.constant('create_user' as const), ifNotExists, name, password: text }),
  fc.record({ kind: fc.constant('alter_user' as const), name, password: text }),
  fc.record({ kind: fc.constant('drop_user' as const), name }),
  fc.record({ kind: fc.constant('drop_domain' as const), domain: name, cascade: fc.boolean() }),
);

/** Statements that end operations, and DROP SECRET: none of them can be planned. */
const unplannedChange: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('cancel_operation' as const, 'compensate_operation' as const),
    operation: text,
  }),
  fc.record({
    kind: fc.constant('resolve_operation' as const),
    operation: text,
    step: positive,
    resolution: fc.constantFrom('APPLIED' as const, 'NOT APPLIED' as const),
    evidence: text,
  }),
  fc.record({ kind: fc.constant('drop_secret' as const), name }),
);

const applyPlan = fc.record({ kind: fc.constant('apply_plan' as const), plan: text });
const limit = fc.option(positive);

/** Statements that only tell something. */
const administrationRead: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ kind: fc.constant('describe_relocation' as const), ...relocation }),
  fc.record({ kind: fc.constant('describe_rebalance' as const), ...rebalance }),
  fc.record({ kind: fc.constant('explain_placement' as const), member: fc.option(member), format }),
  fc.record({
    kind: fc.constant('show_operations' as const),
    filters: literalBindingsOf(fc.constantFrom(...OPERATION_FILTERS)),
    limit,
    format,
  }),
  fc.record({
    kind: fc.constant('show_audit' as const),
    filters: literalBindingsOf(fc.constantFrom(...AUDIT_FILTERS)),
    limit,
    format,
  }),
  fc.record({ kind: fc.constant('describe_operation' as const), operation: text, format }),
  fc.record({
    kind: fc.constant('describe_revisions' as const),
    subject: fc.oneof(
      fc.record({ kind: fc.constant('domain' as const), domain: name }),
      fc.record({ kind: fc.constant('node' as const), node: nodeId }),
      fc.record({ kind: fc.constant('pool' as const), pool: name }),
      fc.record({ kind: fc.constant('member' as const), member }),
    ),
    format,
  }),
  fc.record({ kind: fc.constant('show_grants' as const), grantee: fc.option(grantee), format }),
  fc.record({
    kind: fc.constant('show_inventory' as const),
    subject: fc.constantFrom(...INVENTORY_SUBJECTS),
    format,
  }),
);

/**
 * Statements of administration, with plans and suffixes around them and around others.
 *
 * @param waiting statements that take WAIT alone and can be planned
 * @param losing statements that take both suffixes and cannot be planned
 */
export function administrationStatement(
  waiting: fc.Arbitrary<Statement>,
  losing: fc.Arbitrary<Statement>,
): fc.Arbitrary<Statement> {
  const waitingChange = fc.oneof(
    waitingNodeStatement,
    authorityChange,
    userOrDomainChange,
    waiting,
  );
  const plannable = fc.oneof(waitingChange, losingStatement);
  return fc.oneof(
    plannable,
    unplannedChange,
    applyPlan,
    administrationRead,
    fc.record({
      kind: fc.constant('approve_plan' as const),
      plan: text,
      evidence: fc.option(text),
    }),
    fc.record({
      kind: fc.constantFrom('plan' as const, 'explain' as const),
      format,
      statement: plannable,
    }),
    fc.record({
      kind: fc.constant('with_suffixes' as const),
      statement: fc.oneof(waitingChange, unplannedChange),
      acceptStateLoss: fc.constant(false),
      wait: duration,
    }),
    fc
      .record({
        kind: fc.constant('with_suffixes' as const),
        statement: fc.oneof(losingStatement, applyPlan, losing),
        acceptStateLoss: fc.boolean(),
        wait: fc.option(duration),
      })
      .filter(({ acceptStateLoss, wait }) => acceptStateLoss || wait !== null),
  );
}
