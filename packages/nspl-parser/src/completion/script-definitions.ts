import type {
  AlterModelStatement,
  IngestSource,
  Model,
  Statement,
  StatementKind,
} from '@nervix/model';

/** Where what a statement defines has its fields from. */
export type Definition =
  | { readonly kind: 'fields'; readonly fields: readonly string[] }
  | { readonly kind: 'schema'; readonly schema: string }
  /** The relays that a node reads, in their order. */
  | { readonly kind: 'inputs'; readonly relays: readonly string[] }
  | {
      readonly kind: 'source';
      readonly source: IngestSource;
      readonly decodeUsing: string | null;
    }
  | { readonly kind: 'plain' };

const PLAIN: Definition = Object.freeze({ kind: 'plain' });

type Kinds<Pattern extends string> = Exclude<
  Extract<StatementKind, Pattern>,
  'create_model' | 'drop_model'
>;
type CreatingKind = Kinds<`create_${string}`>;
/** No statement creates a node or a secret, so that a script knows none that could be dropped. */
type RemovingKind = Exclude<
  Kinds<`drop_${string}` | `delete_${string}`>,
  'drop_node' | 'drop_secret'
>;

/** What the statements create that create no model. */
const CREATED: Readonly<Record<CreatingKind, string>> = {
  create_domain: 'domain',
  create_user: 'user',
  create_resource: 'resource',
  create_subscription: 'subscription',
  create_pool: 'pool',
  create_policy: 'policy',
  create_project: 'project',
  create_role: 'role',
  create_delegation: 'delegation',
};

/** What the statements remove that remove no model. */
const REMOVED: Readonly<Record<RemovingKind, string>> = {
  delete_subscription: 'subscription',
  drop_domain: 'domain',
  drop_user: 'user',
  drop_pool: 'pool',
  drop_policy: 'policy',
  drop_project: 'project',
  drop_role: 'role',
  drop_delegation: 'delegation',
};

type CreatingStatement = Extract<Statement, { kind: CreatingKind }>;
type RemovingStatement = Extract<Statement, { kind: RemovingKind }>;

function isCreating(statement: Statement): statement is CreatingStatement {
  return Object.hasOwn(CREATED, statement.kind);
}

function isRemoving(statement: Statement): statement is RemovingStatement {
  return Object.hasOwn(REMOVED, statement.kind);
}

/** What statements define, each applied to what those before it left. */
export class ScriptDefinitions {
  readonly #byKind = new Map<string, Map<string, Definition>>();

  /** A statement in PLAN or EXPLAIN changes nothing. */
  apply(statement: Statement): void {
    switch (statement.kind) {
      case 'with_suffixes':
        this.apply(statement.statement);
        return;
      case 'create_model': {
        const { model, ifNotExists } = statement;
        if (!ifNotExists || this.find(model.kind, model.name) === undefined) {
          this.#define(model.kind, model.name, definitionOf(model));
        }
        return;
      }
      case 'alter_model':
        this.#alter(statement);
        return;
      case 'alter_project':
        for (const operation of statement.operations) {
          if (operation.op === 'rename') this.#rename('project', statement.name, operation.name);
        }
        return;
      case 'drop_model':
        this.#remove(statement.modelKind, statement.name);
        return;
      default:
        if (isCreating(statement)) this.#define(CREATED[statement.kind], statement.name, PLAIN);
        if (isRemoving(statement)) this.#remove(REMOVED[statement.kind], removedName(statement));
    }
  }

  names(kind: string): readonly string[] {
    return [...(this.#byKind.get(kind)?.keys() ?? [])];
  }

  find(kind: string, name: string): Definition | undefined {
    return this.#byKind.get(kind)?.get(name);
  }

  #define(kind: string, name: string, definition: Definition): void {
    const ofKind = this.#byKind.get(kind) ?? new Map<string, Definition>();
    this.#byKind.set(kind, ofKind);
    ofKind.set(name, definition);
  }

  #remove(kind: string, name: string): void {
    this.#byKind.get(kind)?.delete(name);
  }

  #rename(kind: string, from: string, to: string): void {
    const definition = this.find(kind, from);
    if (definition === undefined) return;
    this.#remove(kind, from);
    this.#define(kind, to, definition);
  }

  #alter({ modelKind, name, operations }: AlterModelStatement): void {
    const definition = this.find(modelKind, name);
    if (definition === undefined) return;
    let altered = definition;
    let newName = name;
    for (const operation of operations) {
      if (operation.op === 'rename') newName = operation.name;
      else altered = alteredBy(altered, operation);
    }
    this.#remove(modelKind, name);
    this.#define(modelKind, newName, altered);
  }
}

function removedName(statement: RemovingStatement): string {
  return 'domain' in statement ? statement.domain : statement.name;
}

function definitionOf(model: Model): Definition {
  if ('inputs' in model) {
    return { kind: 'inputs', relays: model.inputs.relays.map(({ relay }) => relay) };
  }
  if (model.kind === 'ingestor') {
    return { kind: 'source', source: model.source, decodeUsing: model.decodeUsing };
  }
  if ('schema' in model) return { kind: 'schema', schema: model.schema };
  if (!('fields' in model)) return PLAIN;
  return { kind: 'fields', fields: model.fields.map(({ name }) => name) };
}

type Operation = Exclude<AlterModelStatement['operations'][number], { op: 'rename' }>;

/** The definition behind an operation; most have no say in fields. */
function alteredBy(definition: Definition, operation: Operation): Definition {
  switch (definition.kind) {
    case 'fields':
      return { kind: 'fields', fields: alteredFields(definition.fields, operation) };
    case 'schema':
      return operation.op === 'set_schema'
        ? { kind: 'schema', schema: operation.schema }
        : definition;
    case 'inputs':
      return { kind: 'inputs', relays: alteredInputs(definition.relays, operation) };
    case 'source':
      if (operation.op === 'set_source') return { ...definition, source: operation.source };
      if (operation.op !== 'set_decode_using') return definition;
      return { ...definition, decodeUsing: operation.codec };
    default:
      return definition;
  }
}

function alteredFields(fields: readonly string[], operation: Operation): readonly string[] {
  switch (operation.op) {
    case 'add_field':
      return [...fields, operation.field.name];
    case 'drop_field':
      return fields.filter((field) => field !== operation.field);
    case 'rename_field':
      return fields.map((field) => (field === operation.field ? operation.name : field));
    default:
      return fields;
  }
}

function alteredInputs(relays: readonly string[], operation: Operation): readonly string[] {
  switch (operation.op) {
    case 'add_input':
      return [...relays, operation.input.relay];
    case 'drop_input':
      return relays.filter((relay) => relay !== operation.relay);
    default:
      return relays;
  }
}
