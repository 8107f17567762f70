import {
  kindWords,
  type Model,
  type ModelKind,
  modelKey,
  type SchemaField,
  type SpanLookup,
} from '@nervix/model';
import { type DomainModels, findModel, modelsOfKind } from '../domain-models.js';
import type { PlanCode, PlanRefusal, PlanWarning } from '../errors.js';
import type { ExpressionFaults } from '../expression/expression-fault.js';
import { type FieldTable, fieldTable } from '../expression/field-table.js';
import type { Surroundings } from '../expression/scope.js';
import { type HttpClaims, httpClaims } from './http-claims.js';

/** What one walk over a domain reads and what it collects. */
export interface PlanningInput {
  readonly domain: string;
  readonly models: DomainModels;
  readonly spans: SpanLookup;
  readonly touched: ReadonlySet<string>;
}

/** The state of one walk: the models, and the refusals and warnings found so far. */
export class PlanningContext {
  readonly domain: string;
  readonly models: DomainModels;
  /** What expressions of the domain may name. */
  readonly surroundings: Surroundings;
  readonly httpClaims: HttpClaims;
  /** Names of the clients that emitters use. */
  readonly usedClients: ReadonlySet<string>;
  readonly refusals: PlanRefusal[] = [];
  readonly warnings: PlanWarning[] = [];
  /** Keys of models with a refusal: what depends on them is not judged. */
  readonly #refused = new Set<string>();
  readonly #tables = new Map<string, FieldTable>();

  constructor(input: PlanningInput) {
    this.domain = input.domain;
    this.models = input.models;
    this.surroundings = {
      spans: input.spans,
      udf: (name) => this.find('udf', name),
      hashMap: (name) => this.#entryFields(name),
    };
    this.httpClaims = httpClaims(input.models, input.touched);
    this.usedClients = new Set(
      modelsOfKind(input.models, 'emitter').flatMap(({ sink }) =>
        sink.kind === 'consumers' ? [] : [sink.client],
      ),
    );
  }

  /** The model of that kind and name, if the domain has it. */
  find<Kind extends ModelKind>(
    kind: Kind,
    name: string,
  ): Extract<Model, { kind: Kind }> | undefined {
    return findModel(this.models, kind, name);
  }

  /** Fields of a schema of this domain; empty for an absent one, which is refused elsewhere. */
  fieldsOf(schema: string): FieldTable {
    const known = this.#tables.get(schema);
    if (known !== undefined) return known;
    const table = fieldTable(this.find('schema', schema)?.fields ?? []);
    this.#tables.set(schema, table);
    return table;
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

  isRefused(kind: ModelKind, name: string): boolean {
    return this.#refused.has(modelKey(kind, name));
  }

  /** Marks a model that cannot be judged, because one that it names is refused. */
  markUnsound(model: Model): void {
    this.#refused.add(modelKey(model.kind, model.name));
  }

  /** Records a refusal, after which dependents of the model are not judged. */
  refuse(model: Model, refusal: PlanRefusal): void {
    this.#refused.add(modelKey(model.kind, model.name));
    this.refusals.push(refusal);
  }

  warn(model: Model, message: string): void {
    this.warnings.push({ message, model: { kind: model.kind, name: model.name } });
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
    const { domain, refusals } = this.context;
    const { kind, name } = this.model;
    const place = `model '${name}' in domain '${domain}' is invalid`;
    refusals.push({
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
    this.context.refuse(this.model, hint === undefined ? refusal : { ...refusal, hint });
  }
}

/** Names of fields, as messages list them. */
export function fieldNames(fields: FieldTable | undefined): string {
  return [...(fields?.values() ?? [])].map((field: SchemaField) => field.name).join(', ');
}
