import { type Model, modelKey, redactConfigText, statementWords } from '@nervix/model';
import { type Alteration, alteredModel } from '../alteration/alter-model.js';
import { ClauseFault } from '../alteration/clause-fault.js';
import { applyChange, blockedChanges, type ModelChange } from '../candidate-state.js';
import { compareModels } from '../domain-models.js';
import type { PlanWarning } from '../errors.js';
import { ModelDraft } from '../registry/model-draft.js';
import type { ModelSet } from '../registry/model-set.js';
import { resourceTerm } from '../registry/model-terms.js';
import type { Aspect } from './aspects/aspect.js';
import { modelAspects } from './aspects/model-aspects.js';
import { reportNode } from './impact/impact-graph.js';
import type { PlanningSnapshot } from './planning-snapshot.js';
import type { OperationSummary, Reason, ReportNode } from './report.js';
import {
  bindingOf,
  boundTo,
  isRebindable,
  type ResolvedVersion,
  type ResourceCatalog,
  resolveVersion,
} from './resource-bindings.js';
import { type SnapshotSecret, unresolvedSecret } from './secret-references.js';
import type { RunStatement } from './statement-steps.js';
import { statementRefusal, type TransactionRefusal } from './transaction-refusal.js';
import type { TransactionState } from './transaction-state.js';

/** A model that is bound to a version by an operation. */
export interface PlannedBinding {
  readonly node: ReportNode;
  readonly resource: string;
  readonly requested: 'LATEST' | number;
  readonly version: number;
}

/** What one operation of a run did to the candidate. */
export interface FoldedOperation {
  readonly number: number;
  readonly summary: OperationSummary;
  readonly reasons: readonly Reason[];
  /** IF NOT EXISTS met a model. */
  readonly alreadyExisted: boolean;
  /** Keys of the models it wrote or took away. */
  readonly touched: readonly string[];
  readonly bindings: readonly PlannedBinding[];
}

/** A run of model changes applied in written order; refused operations are left out. */
export interface FoldedRun {
  readonly models: ModelSet;
  readonly operations: readonly FoldedOperation[];
  /** Of single operations; nothing that follows can mend them. */
  readonly refusals: readonly TransactionRefusal[];
  readonly warnings: readonly PlanWarning[];
  /** Operations that take away what the result still needs; operations that follow may mend that. */
  readonly blocked: readonly TransactionRefusal[];
}

interface Fold {
  readonly domain: string;
  readonly models: ModelDraft;
  readonly resources: ResourceCatalog;
  readonly secrets: readonly SnapshotSecret[] | undefined;
  readonly refusals: TransactionRefusal[];
  readonly warnings: PlanWarning[];
}

/**
 * Applies the operations of a run to a copy of the models.
 *
 * @param first number of the first statement
 */
export function foldOperations(
  { domain, secrets }: Pick<PlanningSnapshot, 'domain' | 'secrets'>,
  { models: base, resources }: Pick<TransactionState, 'models' | 'resources'>,
  statements: readonly RunStatement[],
  first: number,
): FoldedRun {
  const models = new ModelDraft(base);
  const fold: Fold = { domain, models, resources, secrets, refusals: [], warnings: [] };
  const operations: FoldedOperation[] = [];
  const changes: ModelChange[] = [];
  const numbers: number[] = [];
  for (const [index, statement] of statements.entries()) {
    const number = first + index;
    if (statement.kind === 'rebind_resource') {
      operations.push(rebind(fold, number, statement));
      continue;
    }
    const written = changeOf(statement);
    const { change, binding } = withResolvedVersion(fold, number, written);
    changes.push(change);
    numbers.push(number);
    operations.push(foldChange(fold, number, change, binding));
  }
  const result = models.sealed();
  const blocked = blockedChanges(domain, base, result, changes).map(({ refusal, operation }) =>
    statementRefusal(numbers[operation] ?? first, refusal, 'failed model preflight'),
  );
  const { refusals, warnings } = fold;
  return { models: result, operations, refusals, warnings, blocked };
}

type ChangeStatement = Exclude<RunStatement, { kind: 'rebind_resource' }>;

function changeOf(statement: ChangeStatement): ModelChange {
  switch (statement.kind) {
    case 'create_model':
      return { op: 'create', ifNotExists: statement.ifNotExists, model: statement.model };
    case 'drop_model':
      return { op: 'drop', kind: statement.modelKind, name: statement.name };
    case 'alter_model': {
      const { modelKind: kind, name, operations } = statement;
      // Kind and operations stay the pair that the statement holds.
      return { op: 'alter', kind, name, operations } as ModelChange;
    }
  }
}

/** A creation whose binding names the version it stands for. */
function withResolvedVersion(
  fold: Fold,
  number: number,
  change: ModelChange,
): { readonly change: ModelChange; readonly binding: PlannedBinding | undefined } {
  const binding = change.op === 'create' ? bindingOf(change.model) : null;
  if (change.op !== 'create' || binding === null) return { change, binding: undefined };
  const resolved = resolveVersion(fold.domain, fold.resources, binding);
  if (resolved.kind === 'refused') {
    fold.refusals.push(versionRefusal(number, resolved, change.model));
    return { change, binding: undefined };
  }
  const { requested, version } = resolved;
  // A model that is written with its number stays the object that was read.
  const model = requested === 'LATEST' ? boundTo(change.model, version) : change.model;
  const node = reportNode(model);
  const { resource } = binding;
  return { change: { ...change, model }, binding: { node, resource, requested, version } };
}

function versionRefusal(
  number: number,
  { reason }: Extract<ResolvedVersion, { kind: 'refused' }>,
  model?: Model,
): TransactionRefusal {
  const subject =
    model === undefined ? {} : { model: { kind: model.kind, name: model.name }, subject: model };
  const refusal = { code: 'PLAN_RESOURCE_VERSION', message: reason, ...subject } as const;
  return statementRefusal(number, refusal, 'failed resource version resolution');
}

function foldChange(
  fold: Fold,
  number: number,
  change: ModelChange,
  binding: PlannedBinding | undefined,
): FoldedOperation {
  const subject = change.op === 'create' ? change.model : change;
  const keys = [modelKey(subject.kind, subject.name), ...renamedKeys(change)];
  const before = keys.map((key) => fold.models.get(key));
  const outcome = applyChange(fold.domain, fold.models, change);
  const kind = SUMMARY_KINDS[change.op];
  const node = reportNode(subject);
  const summary: OperationSummary = { kind, domain: fold.domain, node };
  if (outcome.kind === 'rejected') {
    fold.refusals.push(statementRefusal(number, outcome.refusal, 'failed model preflight'));
  }
  if (outcome.kind !== 'applied') {
    const alreadyExisted = outcome.kind === 'kept';
    return { number, summary, reasons: [], alreadyExisted, touched: [], bindings: [] };
  }
  if (change.op === 'create') checkSecrets(fold, number, change.model);
  const reasons = keys
    .flatMap((key, index) => configurationReasons(before[index], fold.models.get(key)))
    .sort(byClause(before[0], change));
  const bindings = binding === undefined ? [] : [binding];
  return { number, summary, reasons, alreadyExisted: false, touched: keys, bindings };
}

/** A new model may only name secrets that are there, and is advised against holding some itself. */
function checkSecrets({ domain, secrets, refusals, warnings }: Fold, number: number, model: Model) {
  if (model.kind !== 'client') return;
  const { kind, name } = model;
  const missing = secrets === undefined ? undefined : unresolvedSecret(domain, secrets, model);
  if (missing !== undefined) {
    const { reason: message, entry: subject } = missing;
    const refusal = {
      code: 'PLAN_SECRET_UNAVAILABLE',
      message,
      model: { kind, name },
      subject,
    } as const;
    refusals.push(statementRefusal(number, refusal, 'failed secret resolution'));
  }
  for (const { key, value } of model.config) {
    if (value.kind === 'secret') continue;
    if (redactConfigText(model.type, key, value.text) === value.text) continue;
    const message = `config key '${key}' holds a literal secret; consider SECRET`;
    warnings.push({ message, model: { kind, name } });
  }
}

const SUMMARY_KINDS = {
  create: 'CREATE_CONFIGURATION',
  alter: 'ALTER_CONFIGURATION',
  drop: 'DROP_CONFIGURATION',
} as const;

/** Keys that a placement rule gets by RENAME, other than its own. */
function renamedKeys(change: ModelChange): readonly string[] {
  if (change.op !== 'alter' || change.kind !== 'placement') return [];
  const names = change.operations.flatMap((operation) =>
    operation.op === 'rename' && operation.name !== change.name ? [operation.name] : [],
  );
  return [...new Set(names)].map((name) => modelKey('placement', name));
}

function configurationReasons(
  before: Model | undefined,
  after: Model | undefined,
): readonly Reason[] {
  const model = after ?? before;
  if (model === undefined) return [];
  const node = reportNode(model);
  return modelAspects(before, after).map(({ aspect }) => ({ kind: 'CONFIGURATION', node, aspect }));
}

/** Order of the reasons of an ALTER: by the first clause that each of them comes from. */
function byClause(model: Model | undefined, change: ModelChange) {
  const places = new Map<string | undefined, number>();
  if (change.op === 'alter' && change.operations.length > 1) {
    for (const [place, { aspect }] of clauseAspects(model, change).entries()) {
      if (!places.has(aspect)) places.set(aspect, place);
    }
  }
  const placeOf = ({ aspect }: Reason) => places.get(aspect) ?? places.size;
  return (left: Reason, right: Reason) => placeOf(left) - placeOf(right);
}

/** What each clause alters of what the one before it leaves. */
function clauseAspects(
  model: Model | undefined,
  { kind, operations }: Extract<ModelChange, { op: 'alter' }>,
): readonly Aspect[] {
  const found: Aspect[] = [];
  let current = model;
  for (const operation of operations) {
    // Kind and operations stay the pair that the change holds.
    const clause = { kind, operations: [operation] } as Alteration;
    const next = current === undefined ? undefined : alteredModel(current, clause);
    if (current === undefined || next === undefined || next instanceof ClauseFault) return found;
    found.push(...modelAspects(current, next));
    current = next;
  }
  return found;
}

type RebindStatement = Extract<RunStatement, { kind: 'rebind_resource' }>;

function rebind(fold: Fold, number: number, statement: RebindStatement): FoldedOperation {
  const { domain, models } = fold;
  const { resource } = statement;
  const resolved = fold.resources.has(resource)
    ? resolveVersion(domain, fold.resources, statement)
    : ({ kind: 'refused', reason: `resource '${resource}' does not exist` } as const);
  const summary: OperationSummary = { kind: 'REBIND_RESOURCE', domain, resource };
  const none = { number, alreadyExisted: false, touched: [], reasons: [], bindings: [] };
  if (resolved.kind === 'refused') {
    fold.refusals.push(versionRefusal(number, resolved));
    return { ...none, summary };
  }
  const { requested, version } = resolved;
  const whole = { ...none, summary: { ...summary, requested, version } };
  const selected = rebindMembers(fold, number, statement);
  const reasons = selected.map(
    (model): Reason => ({
      kind: 'RESOURCE_REBINDING',
      node: reportNode(model),
      resource,
      from_version: Number(bindingOf(model)?.version),
      to_version: version,
    }),
  );
  const touched = selected.map(({ kind, name }) => modelKey(kind, name));
  for (const model of selected) {
    const isUnchanged = bindingOf(model)?.version === String(version);
    if (!isUnchanged) models.set(modelKey(model.kind, model.name), boundTo(model, version));
  }
  const bindings = selected.map((model) => {
    return { node: reportNode(model), resource, requested, version };
  });
  return { ...whole, reasons, touched, bindings };
}

/** The models that a REBIND moves, by kind and name; members that cannot are refused. */
function rebindMembers(
  { domain, models, refusals }: Fold,
  number: number,
  { resource, members }: RebindStatement,
): readonly Model[] {
  const binds = (model: Model | undefined): model is Model =>
    model !== undefined && isRebindable(model.kind) && bindingOf(model)?.resource === resource;
  if (members === null) {
    return models.modelsWith(resourceTerm(resource)).filter(binds).sort(compareModels);
  }
  const selected = members.flatMap(({ kind, name }) => {
    const model = models.get(modelKey(kind, name));
    if (binds(model)) return [model];
    const words = `${statementWords(kind)} '${name}'`;
    const message =
      model === undefined
        ? `${words} does not exist in domain '${domain}'`
        : `${words} does not bind resource '${resource}'`;
    const code = model === undefined ? 'PLAN_MODEL_NOT_FOUND' : 'PLAN_RESOURCE_VERSION';
    const refusal = { code, message, model: { kind, name } } as const;
    refusals.push(statementRefusal(number, refusal, 'failed model preflight'));
    return [];
  });
  return selected.sort(compareModels);
}
