import { type Model, type ModelKind, modelKey } from '@nervix/model';
import { ModelSet } from '@nervix/planner';
import { compareKeys, type ScheduleEntry } from '@nervix/scheduler';
import {
  cordonKey,
  domainKey,
  executionKey,
  HISTORY_KEY,
  keyOf,
  referenceKey,
  scheduleKey,
  transactionKey,
} from './record-keys.js';
import type {
  ContentRecord,
  DomainRecord,
  ExecutionRecord,
  LeaseRecord,
  OperationRecord,
  ReferenceRecord,
  ScheduleBasis,
  StateRecord,
  TransactionRecord,
  UserRecord,
} from './records.js';
import { ResourceIndex } from './resource-index.js';
import { type Publication, RuntimeRevisions } from './runtime-revisions.js';
import { SecretIndex } from './secret-index.js';
import { StoredModels } from './stored-models.js';
import {
  DECISION,
  type StoredRecord,
  type WriteCommand,
  type WriteResult,
} from './write-command.js';

const NO_ENTRIES: readonly ScheduleEntry[] = [];
const NO_CONTENTS: ReadonlyMap<string, ContentRecord> = new Map();

/** The assignments of one domain; put in order when somebody asks. */
interface Assignments {
  readonly byKey: Map<string, ScheduleEntry>;
  ordered: readonly ScheduleEntry[] | undefined;
}

/** Changes of one entry that is applied but not yet durable. */
interface PendingChanges {
  readonly index: bigint;
  readonly revision: number;
  readonly changed: ReadonlyMap<string, StoredRecord | undefined>;
}

/** Effects of one command: what to answer and which keys change (`undefined` = removed). */
export interface AppliedCommand {
  readonly result: WriteResult;
  readonly changed: ReadonlyMap<string, StoredRecord | undefined>;
}

/**
 * The committed state of the cluster, in memory, as the log built it. Deterministic: equal sequences
 * of commands give equal states. Every record remembers the revision of its last write, which is
 * what fences compare.
 *
 * Commands are applied before they are durable. Their changes wait beside the state, visible to the
 * fences of later commands only, until {@link publish} makes them readable.
 */
export class ReplicatedState {
  /** Resources and their versions. */
  readonly resources: ResourceIndex = new ResourceIndex();
  /** Secrets, sealed. */
  readonly secrets: SecretIndex = new SecretIndex();
  readonly #records = new Map<string, StoredRecord>();
  readonly #models = new Map<string, StoredModels>();
  readonly #references = new Map<string, ReferenceRecord>();
  readonly #transactions = new Map<string, TransactionRecord>();
  readonly #executions = new Map<string, ExecutionRecord>();
  readonly #leases = new Map<string, LeaseRecord>();
  readonly #domains = new Map<string, DomainRecord>();
  readonly #assignments = new Map<string, Assignments>();
  /** Of each open transaction what it accepted, by number. */
  readonly #operations = new Map<string, Map<number, OperationRecord>>();
  /** Of each transaction and command what it keeps beside its record, by digest. */
  readonly #contents = new Map<string, Map<string, ContentRecord>>();
  readonly #users = new Map<string, UserRecord>();
  readonly #removalListeners: ((record: StateRecord) => void)[] = [];
  readonly #publicationListeners: ((publication: Publication) => void)[] = [];
  readonly #runtimeRevisions = new RuntimeRevisions();
  #revision: number | undefined;
  #pending: PendingChanges[] = [];
  /** Keys of the former state that the one being restored has not named. */
  #stale: Set<string> | undefined;

  /**
   * Applies a command at a revision; nothing of it is readable yet.
   *
   * @param index log index of the command's entry
   * @param revision that the command makes if it changes anything
   * @param term of the command's entry
   */
  apply(command: WriteCommand, index: bigint, revision: number, term = 0n): AppliedCommand {
    const changed = new Map<string, StoredRecord | undefined>();
    const { reference } = command;
    if (reference !== null && this.#newest(referenceKey(reference.id)) !== undefined) {
      return { result: { kind: 'recorded' }, changed };
    }
    if (command.decision !== undefined) {
      const { term: decidedIn, revision: decidedFrom } = command.decision;
      const isCurrent = decidedIn === String(term) && decidedFrom + 1 === revision;
      if (!isCurrent) return { result: { kind: 'raced', key: DECISION }, changed };
    }
    for (const fence of command.fences) {
      if ((this.#newest(fence.key)?.revision ?? 0) !== fence.revision) {
        return { result: { kind: 'raced', key: fence.key }, changed };
      }
    }
    for (const key of command.remove) changed.set(key, undefined);
    const puts = reference === null ? command.put : [...command.put, reference];
    for (const record of puts) changed.set(keyOf(record), { revision, record });
    if (changed.size > 0) this.#pending.push({ index, revision, changed });
    return { result: { kind: 'applied', revision }, changed };
  }

  /** Makes the changes of every entry up to a durable index readable. */
  publish(durableIndex: bigint): void {
    let published = 0;
    for (const { index, revision, changed } of this.#pending) {
      if (index > durableIndex) break;
      for (const [key, stored] of changed) {
        if (stored === undefined) this.#remove(key, revision);
        else this.load(key, stored);
      }
      this.#revision = revision;
      published += 1;
    }
    this.#pending = this.#pending.slice(published);
    if (published > 0) this.#tell();
  }

  /** Begins a recovery: what is loaded until {@link restored} takes the place of all there is. */
  restoring(): void {
    this.#pending = [];
    this.#stale = new Set(this.#records.keys());
  }

  /** Ends a recovery: what was loaded is the state of a revision. */
  restored(revision: number): void {
    for (const key of this.#stale ?? []) this.#remove(key, revision);
    this.#stale = undefined;
    this.#revision = revision;
    this.#tell();
  }

  /** Takes over changes that are durable, of a state that is kept elsewhere, as one publication. */
  follow(changes: Iterable<readonly [string, StoredRecord | undefined]>, revision: number): void {
    for (const [key, stored] of changes) {
      if (stored === undefined) this.#remove(key, revision);
      else this.load(key, stored);
    }
    this.#revision = revision;
    this.#tell();
  }

  /** Puts a stored record in place, as recovery does. */
  load(key: string, stored: StoredRecord): void {
    this.#stale?.delete(key);
    const { record, revision } = stored;
    this.#runtimeRevisions.put(record, revision, this.#records.get(key)?.record);
    this.#records.set(key, stored);
    switch (record.kind) {
      case 'model':
        this.#writeModel(record.domain, record.model, record.model);
        break;
      case 'lease':
        this.#leases.set(record.domain, record);
        break;
      case 'operation':
        inner(this.#operations, record.transaction).set(record.number, record);
        break;
      case 'content':
        inner(this.#contents, record.transaction).set(record.digest, record);
        break;
      case 'reference':
        this.#references.set(record.id, record);
        break;
      case 'transaction':
        this.#transactions.set(record.id, record);
        break;
      case 'execution':
        this.#executions.set(record.reference.id, record);
        break;
      case 'domain':
        this.#domains.set(record.name, record);
        break;
      case 'user':
        this.#users.set(record.name, record);
        break;
      case 'assignment':
        this.#changeAssignments(record.domain, (byKey) => byKey.set(key, record.entry));
        break;
      default:
        this.resources.put(record);
        this.secrets.put(record);
    }
  }

  /** Tells of every record that is removed, once its removal is readable. */
  onRemoved(listener: (record: StateRecord) => void): void {
    this.#removalListeners.push(listener);
  }

  /** Tells of every publication, once all of it is readable. */
  onPublished(listener: (publication: Publication) => void): void {
    this.#publicationListeners.push(listener);
  }

  /** The revision that every read answers from; undefined before there is a state. */
  get revision(): number | undefined {
    return this.#revision;
  }

  /** Revision at which what nodes run of a domain changed last; undefined without the domain. */
  runtimeRevisionOf(domain: string): number | undefined {
    return this.#runtimeRevisions.of(domain);
  }

  /** What stands under a key. */
  record(key: string): StateRecord | undefined {
    return this.#records.get(key)?.record;
  }

  /** Revision of the last write to a key; 0 when the key is absent. */
  revisionOf(key: string): number {
    return this.#records.get(key)?.revision ?? 0;
  }

  /** Whether there is any user. */
  get hasUsers(): boolean {
    return this.#users.size > 0;
  }

  user(name: string): UserRecord | undefined {
    return this.#users.get(name);
  }
  /** All users, by name. */
  users(): readonly UserRecord[] {
    return [...this.#users.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  domain(name: string): DomainRecord | undefined {
    return this.#get(domainKey(name), 'domain');
  }
  /** All domains, by name. */
  domains(): readonly DomainRecord[] {
    return [...this.#domains.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  /** The models of a domain at this moment: later writes make another set, and leave this one. */
  models(domain: string): ModelSet {
    return this.#models.get(domain)?.set ?? ModelSet.EMPTY;
  }
  /** The schedule in force of a domain, in key order; empty before the first one. */
  schedule(domain: string): readonly ScheduleEntry[] {
    const assignments = this.#assignments.get(domain);
    if (assignments === undefined) return NO_ENTRIES;
    assignments.ordered ??= [...assignments.byKey.values()].sort(compareKeys);
    return assignments.ordered;
  }
  /** What the schedule in force was decided from; undefined before the first one. */
  scheduleBasis(domain: string): ScheduleBasis | undefined {
    return this.#get(scheduleKey(domain), 'schedule')?.basis;
  }
  isCordoned(node: string): boolean {
    return this.#records.has(cordonKey(node));
  }
  transaction(id: string): TransactionRecord | undefined {
    return this.#get(transactionKey(id), 'transaction');
  }
  /** The command with a reference that changes a domain by itself and has no outcome yet. */
  execution(reference: string): ExecutionRecord | undefined {
    return this.#get(executionKey(reference), 'execution');
  }
  /** All of these, by reference. */
  executions(): readonly ExecutionRecord[] {
    return [...this.#executions.values()].sort((left, right) =>
      left.reference.id < right.reference.id ? -1 : 1,
    );
  }
  /** The right to change a domain, if somebody holds it. */
  lease(domain: string): LeaseRecord | undefined {
    return this.#leases.get(domain);
  }
  /** All leases, by domain. */
  leases(): readonly LeaseRecord[] {
    return [...this.#leases.values()].sort((a, b) => (a.domain < b.domain ? -1 : 1));
  }
  /** All transactions and tombstones, by id. */
  transactions(): readonly TransactionRecord[] {
    return [...this.#transactions.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  /** What an open transaction accepted, in order. */
  operations(transaction: string): readonly OperationRecord[] {
    const accepted = this.#operations.get(transaction);
    return [...(accepted?.values() ?? [])].sort((left, right) => left.number - right.number);
  }
  /** Everybody who keeps something beside a record: transactions, and commands by reference. */
  contentOwners(): readonly string[] {
    return [...this.#contents.keys()];
  }
  /** What a transaction or a command keeps beside its record, by digest. */
  contents(transaction: string): ReadonlyMap<string, ContentRecord> {
    return this.#contents.get(transaction) ?? NO_CONTENTS;
  }
  reference(id: string): ReferenceRecord | undefined {
    return this.#get(referenceKey(id), 'reference');
  }
  references(): IterableIterator<ReferenceRecord> {
    return this.#references.values();
  }
  get referenceCount(): number {
    return this.#references.size;
  }
  get retryFenceMs(): number {
    return this.#get(HISTORY_KEY, 'history')?.retryFenceMs ?? 0;
  }

  /** The newest version of a key, durable or not. */
  #newest(key: string): StoredRecord | undefined {
    for (let i = this.#pending.length - 1; i >= 0; i -= 1) {
      const changed = this.#pending[i]?.changed;
      if (changed?.has(key)) return changed.get(key);
    }
    return this.#records.get(key);
  }

  #get<K extends StateRecord['kind']>(
    key: string,
    kind: K,
  ): Extract<StateRecord, { kind: K }> | undefined {
    const record = this.#records.get(key)?.record;
    return record?.kind === kind ? (record as Extract<StateRecord, { kind: K }>) : undefined;
  }

  #changeAssignments(domain: string, change: (byKey: Map<string, ScheduleEntry>) => unknown): void {
    const assignments = this.#assignments.get(domain) ?? { byKey: new Map(), ordered: undefined };
    change(assignments.byKey);
    assignments.ordered = undefined;
    this.#assignments.set(domain, assignments);
  }

  #writeModel(
    domain: string,
    { kind, name }: { readonly kind: ModelKind; readonly name: string },
    model: Model | undefined,
  ): void {
    const stored = this.#models.get(domain) ?? new StoredModels();
    stored.write(modelKey(kind, name), model);
    if (stored.size > 0) this.#models.set(domain, stored);
    else this.#models.delete(domain);
  }

  #tell(): void {
    const { revision = 0 } = this;
    const domains = this.#runtimeRevisions.takeChanged();
    for (const listener of this.#publicationListeners) listener({ revision, domains });
  }

  #remove(key: string, revision: number): void {
    const record = this.#records.get(key)?.record;
    this.#records.delete(key);
    if (record !== undefined) this.#runtimeRevisions.remove(record, revision);
    switch (record?.kind) {
      case 'model':
        this.#writeModel(record.domain, record.model, undefined);
        break;
      case 'lease':
        this.#leases.delete(record.domain);
        break;
      case 'operation':
        removeInner(this.#operations, record.transaction, record.number);
        break;
      case 'content':
        removeInner(this.#contents, record.transaction, record.digest);
        break;
      case 'reference':
        this.#references.delete(record.id);
        break;
      case 'transaction':
        this.#transactions.delete(record.id);
        break;
      case 'execution':
        this.#executions.delete(record.reference.id);
        break;
      case 'domain':
        this.#domains.delete(record.name);
        break;
      case 'user':
        this.#users.delete(record.name);
        break;
      case 'assignment':
        this.#changeAssignments(record.domain, (byKey) => byKey.delete(key));
        break;
      default:
        if (record === undefined) break;
        this.resources.remove(record);
        this.secrets.remove(record);
    }
    if (record === undefined) return;
    for (const listener of this.#removalListeners) listener(record);
  }
}

/** The inner map of a key, which is made where it is missing. */
function inner<Key, Value>(maps: Map<string, Map<Key, Value>>, name: string): Map<Key, Value> {
  const known = maps.get(name) ?? new Map<Key, Value>();
  maps.set(name, known);
  return known;
}

function removeInner<Key>(maps: Map<string, Map<Key, unknown>>, name: string, key: Key): void {
  const known = maps.get(name);
  known?.delete(key);
  if (known?.size === 0) maps.delete(name);
}
