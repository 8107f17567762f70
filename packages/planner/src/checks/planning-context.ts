import {
  type EndpointModel,
  kindWords,
  type Model,
  type ModelKind,
  modelKey,
  type SchemaField,
  type SchemaModel,
  type SpanLookup,
} from '@nervix/model';
import { compareModels } from '../domain-models.js';
import type { ModelIdentity, PlanCode, PlanRefusal, PlanWarning } from '../errors.js';
import type { ExpressionFaults } from '../expression/expression-fault.js';
import { type FieldTable, fieldTable } from '../expression/field-table.js';
import type { Surroundings } from '../expression/scope.js';
import type { ModelSet } from '../registry/model-set.js';
import { hostnameTerm, pathTerm, senderTerm } from '../registry/model-terms.js';

/** What models of a domain are judged by. */
export interface PlanningInput {
  readonly domain: string;
  readonly models: Pick<ModelSet, 'get' | 'keysWith'>;
  readonly spans: SpanLookup;
  /** Keys of the models that a batch created or changed; absent means none. */
  readonly touched?: ReadonlySet<string>;
  /** Whether a model that was judged before is unsound, by key; absent means none is. */
  readonly isUnsound?: (key: string) => boolean;
  /** Whether verdicts say what was looked up; absent means they do not. */
  readonly hasReads?: boolean;
}

/** What judging one model came to, and what else of the domain that depends on. */
export interface Verdict {
  readonly refusals: readonly PlanRefusal[];
  readonly warnings: readonly PlanWarning[];
  /** Whether models that name this one cannot be judged. */
  readonly isUnsound: boolean;
  /** Whether it depends on which of several claimants a batch touched. */
  readonly isContested: boolean;
  /** Keys of the models and terms that were looked up, present or not, if that is asked for. */
  readonly reads: readonly string[];
}

/** The models of a domain while they are judged, one after the other. */
export class PlanningContext {
  readonly domain: string;
  /** What expressions of the domain may name. */
  readonly surroundings: Surroundings;
  readonly #input: PlanningInput;
  #refusals: PlanRefusal[] = [];
  #warnings: PlanWarning[] = [];
  #reads: Set<string> | undefined;
  #hasUnsoundModel = false;
  #isContested = false;

  constructor(input: PlanningInput) {
    this.domain = input.domain;
    this.#input = input;
    this.surroundings = {
      spans: input.spans,
      udf: (name) => this.find('udf', name),
      hashMap: (name) => this.#entryFields(name),
    };
  }

  /** Judges one model; what the judgement reports and reads belongs to its verdict. */
  verdictOf(judge: () => void): Verdict {
    this.#refusals = [];
    this.#warnings = [];
    this.#reads = this.#input.hasReads === true ? new Set() : undefined;
    this.#hasUnsoundModel = false;
    this.#isContested = false;
    judge();
    return {
      refusals: this.#refusals,
      warnings: this.#warnings,
      isUnsound: this.#hasUnsoundModel,
      isContested: this.#isContested,
      reads: [...(this.#reads ?? [])],
    };
  }

  /** The model of that kind and name, if the domain has it. */
  find<Kind extends ModelKind>(
    kind: Kind,
    name: string,
  ): Extract<Model, { kind: Kind }> | undefined {
    const key = modelKey(kind, name);
    this.#reads?.add(key);
    const model = this.#input.models.get(key);
    return model?.kind === kind ? (model as Extract<Model, { kind: Kind }>) : undefined;
  }

  /** Fields of a schema of this domain; empty for an absent one, which is refused elsewhere. */
  fieldsOf(schema: string): FieldTable {
    const model = this.find('schema', schema);
    return model === undefined ? NO_FIELDS : tableOf(model);
  }

  /** Who has a hostname, in lower case. */
  hostnameHolder(hostname: string): Model | undefined {
    return this.#holder(hostnameTerm(hostname));
  }

  /** Who has the path of an endpoint. */
  pathHolder(endpoint: EndpointModel): Model | undefined {
    return this.#holder(pathTerm(endpoint));
  }

  /** Whether an emitter sends through a client. */
  isSender(client: string): boolean {
    const term = senderTerm(client);
    this.#reads?.add(term);
    return this.#input.models.keysWith(term).length > 0;
  }

  /** Of several claimants those a batch left alone come before those it touched, then by name. */
  #holder(term: string): Model | undefined {
    this.#reads?.add(term);
    const claimants = this.#input.models.keysWith(term);
    if (claimants.length > 1) this.#isContested = true;
    const holder = claimants.find((key) => this.#input.touched?.has(key) !== true) ?? claimants[0];
    return holder === undefined ? undefined : this.#input.models.get(holder);
  }

  /** Fields of the entries of a hash map. */
  #entryFields(name: string): FieldTable | undefined {
    const map = this.find('hash_map', name);
    const codec = map === undefined ? undefined : this.find('codec', map.decodeUsing);
    return codec === undefined ? undefined : this.fieldsOf(codec.schema);
  }

  /** Name of the branch declaration a relay carries, or null. */
  branchOfRelay(relay: string): string | null {
    const branching = this.find('relay', relay)?.branching;
    return branching?.kind === 'branched_by' ? branching.branch : null;
  }

  /** Key fields of a branch declaration; null stands for unbranched work. */
  branchFields(branch: string | null): FieldTable | undefined {
    const model = branch === null ? undefined : this.find('branch', branch);
    return model === undefined ? undefined : this.fieldsOf(model.schema);
  }

  /** Whether a model that comes before another one in the order of judgement is unsound. */
  isUnsound(model: ModelIdentity, dependent: ModelIdentity): boolean {
    const key = modelKey(model.kind, model.name);
    this.#reads?.add(key);
    return compareModels(model, dependent) < 0 && this.#input.isUnsound?.(key) === true;
  }

  /** Marks the model at hand, which cannot be judged because of one that it names. */
  markUnsound(): void {
    this.#hasUnsoundModel = true;
  }

  /** Records a refusal of the model at hand, after which its dependents are not judged. */
  refuse(refusal: PlanRefusal): void {
    this.#hasUnsoundModel = true;
    this.#refusals.push(refusal);
  }

  /** Records that the model at hand is sound, but cannot be run. */
  refuseRunning(refusal: PlanRefusal): void {
    this.#refusals.push(refusal);
  }

  warn(model: Model, message: string): void {
    this.#warnings.push({ message, model: { kind: model.kind, name: model.name } });
  }

  /** A reporter of refusals of one model. */
  reporter(model: Model): ModelReporter {
    return new ModelReporter(this, model);
  }
}

/** Collects the refusals of one model in the wording that fits each. */
export class ModelReporter {
  readonly context: PlanningContext;
  readonly model: Model;

  constructor(context: PlanningContext, model: Model) {
    this.context = context;
    this.model = model;
  }

  /** The kind in words and the quoted name: `junction 'split'`. */
  get title(): string {
    return `${kindWords(this.model.kind)} '${this.model.name}'`;
  }

  invalid(reason: string, subject: object = this.model): void {
    this.#frame('PLAN_INVALID_MODEL', `is invalid: ${reason}`, subject);
  }

  /** A refusal that stems from an expression. */
  expression(reason: string, subject: object, hint?: string): void {
    this.#frame('PLAN_INVALID_EXPRESSION', `is invalid: ${reason}`, subject, hint);
  }

  /** One refusal for each fault of an expression. */
  faults(prefix: string, faults: ExpressionFaults): void {
    for (const { reason, subject, hint } of faults) {
      this.expression(`${prefix}: ${reason}`, subject, hint);
    }
  }

  schemaRelation(reason: string, subject: object = this.model): void {
    this.#frame('PLAN_SCHEMA_RELATION', `has incompatible schema relationship: ${reason}`, subject);
  }

  /** Refuses something sound that this release cannot run; dependents are judged all the same. */
  unsupported(feature: string, subject: object = this.model): void {
    const { domain } = this.context;
    const { kind, name } = this.model;
    const place = `model '${name}' in domain '${domain}' is invalid`;
    this.context.refuseRunning({
      code: 'PLAN_UNSUPPORTED',
      message: `${place}: ${feature} not supported by this release`,
      model: { kind, name },
      subject,
    });
  }

  /** A refusal whose message stands without a frame. */
  whole(message: string, subject: object = this.model): void {
    this.#refuse('PLAN_INVALID_MODEL', message, subject);
  }

  #frame(code: PlanCode, text: string, subject: object, hint?: string): void {
    const { domain } = this.context;
    this.#refuse(code, `model '${this.model.name}' in domain '${domain}' ${text}`, subject, hint);
  }

  #refuse(code: PlanCode, message: string, subject: object, hint?: string): void {
    const { kind, name } = this.model;
    const refusal = { code, message, model: { kind, name }, subject };
    this.context.refuse(hint === undefined ? refusal : { ...refusal, hint });
  }
}

const NO_FIELDS = fieldTable([]);

/** Tables by the schemas they are of, which are never changed in place. */
const tables = new WeakMap<SchemaModel, FieldTable>();

function tableOf(schema: SchemaModel): FieldTable {
  const known = tables.get(schema);
  if (known !== undefined) return known;
  const table = fieldTable(schema.fields);
  tables.set(schema, table);
  return table;
}

/** Names of fields, as messages list them. */
export function fieldNames(fields: FieldTable | undefined): string {
  return [...(fields?.values() ?? [])].map((field: SchemaField) => field.name).join(', ');
}
