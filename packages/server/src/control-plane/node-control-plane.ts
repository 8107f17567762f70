import type {
  CommandRequest,
  DomainEntity,
  DomainEntry,
  EntityList,
  GraphDocument,
  SecretList,
  TransactionEntry,
} from '@nervix/protocol';
import type { DataPlane, SubscriptionReader } from '@nervix/runtime/data-plane';
import type { DomainRecord, TransactionRecord, UserRecord } from '../replicated-state/records.js';
import { plannedResources } from '../resources/resource-catalog.js';
import type { UploadReply, UploadRequest } from '../resources/resource-uploads.js';
import type { CommandExecutor } from './command-executor.js';
import {
  type SecretRequest,
  SecretRequests,
  type SecretWriteRequest,
} from './commands/secrets/secret-requests.js';
import type { ControlContext } from './control-context.js';
import type {
  CommandReply,
  CommandSession,
  ControlPlane,
  LeadershipView,
  OpenedSubscription,
  Principal,
  ReadinessNeeds,
  ReadReply,
  RowsRequest,
  RowsSink,
  RowsStream,
  SubscribeRequest,
} from './control-plane.js';
import { domainGraph } from './reads/domain-graph.js';
import { domainStatus } from './reads/domain-status.js';
import {
  type InspectReply,
  type InspectRequest,
  readInspection,
} from './reads/inspect-transaction.js';
import { listTransactions } from './reads/list-transactions.js';
import { metricsText } from './reads/metrics-text.js';
import { graphNodeStatus } from './reads/node-status.js';
import { openView } from './reads/open-view.js';
import { refusedRead } from './reads/refused-read.js';
import { streamView, subscriptionView } from './reads/relay-view.js';
import { openedLine, rowSchema } from './reads/row-schema.js';
import { rowsReader } from './reads/rows-reader.js';
import { listSecrets } from './reads/show-secrets.js';
import { type SuggestionReply, type SuggestionRequest, suggest } from './reads/suggest.js';
import { storageFailureOutcome } from './storage-failure.js';
import { type AttachReply, type AttachRequest, attachTransaction } from './transactions/attach.js';
import { leaveTransaction, type SessionEnd } from './transactions/leave.js';
import type { TransactionHolder } from './transactions/transaction-bindings.js';
import { UserStreams } from './user-streams.js';

/** The control plane of one node: commands go to the executor, reads to committed state. */
export class NodeControlPlane implements ControlPlane {
  readonly #context: ControlContext;
  readonly #executor: CommandExecutor;
  readonly #dataPlane: DataPlane;
  readonly #userStreams: UserStreams;
  readonly #secretRequests: SecretRequests;
  readonly #userListeners: ((user: string) => void)[] = [];
  #isAdmitted = false;
  #isTerminating = false;

  constructor(context: ControlContext, executor: CommandExecutor, dataPlane: DataPlane) {
    this.#context = context;
    this.#executor = executor;
    this.#secretRequests = new SecretRequests(context.secrets, executor);
    this.#dataPlane = dataPlane;
    this.#userStreams = new UserStreams((error) =>
      context.logger.error('closing a row stream failed', {}, error),
    );
    context.state.onRemoved((record) => {
      if (record.kind === 'transaction') context.bindings.forget(record.id);
      if (record.kind !== 'user') return;
      this.#userStreams.endOf({ user: record.name, incarnation: record.incarnation });
      for (const listener of this.#userListeners) listener(record.name);
    });
  }

  /** Says that recovery is over. */
  setReady(): void {
    this.#isAdmitted = true;
  }

  /** Says that the node begins to stop. */
  setTerminating(): void {
    this.#isTerminating = true;
  }

  execute(
    request: CommandRequest,
    principal: Principal,
    session?: CommandSession,
  ): Promise<CommandReply> {
    return this.#executor.execute(request, principal, session);
  }

  async attach(request: AttachRequest): Promise<AttachReply> {
    try {
      return await attachTransaction(this.#context, request);
    } catch (error) {
      const refusal = storageFailureOutcome(error);
      if (refusal === undefined) throw error;
      return { kind: 'refused', refusal };
    }
  }

  isAttached(transaction: string, holder: TransactionHolder): boolean {
    return this.#context.bindings.isHeldBy(transaction, holder);
  }

  leave(transaction: string, holder: TransactionHolder, end: SessionEnd): Promise<void> {
    return leaveTransaction(this.#context, transaction, holder, end);
  }

  inspect(request: InspectRequest): Promise<InspectReply> {
    return readInspection(this.#context, request);
  }

  transactions(): readonly TransactionEntry[] {
    return listTransactions(this.#context.state, this.#context.nowMs());
  }

  transaction(id: string): TransactionRecord | undefined {
    return this.#context.state.transaction(id);
  }

  suggest(request: SuggestionRequest): SuggestionReply {
    return suggest(this.#context, request);
  }

  leadership(): LeadershipView {
    const { identity, clusterUid, role, leader } = this.#context.log.status();
    const cluster = clusterUid ?? identity.clusterId;
    if (role === 'leader') return { kind: 'serving', node: identity.nodeId, cluster };
    return leader === undefined
      ? { kind: 'unknown', node: identity.nodeId, cluster }
      : { kind: 'remote', node: leader.nodeId, cluster };
  }

  onUserRemoved(listener: (user: string) => void): void {
    this.#userListeners.push(listener);
  }

  domains(): readonly DomainEntry[] {
    return this.#context.state.domains().map(domainEntry);
  }

  domain(name: string): ReadReply<DomainEntry> {
    const record = this.#context.state.domain(name.toLowerCase());
    if (record === undefined) return refusedRead('NOT_FOUND', `domain '${name}' does not exist`);
    return { kind: 'found', value: domainEntry(record) };
  }

  entities(domain: string): ReadReply<EntityList> {
    const found = this.domain(domain);
    if (found.kind === 'refused') return found;
    const { state } = this.#context;
    const models = [...state.models(found.value.domain).values()];
    const resources = plannedResources(state, found.value.domain);
    const entities = [
      ...models.map(({ kind, name }): DomainEntity => ({ kind, name })),
      ...resources.map(({ name, versions }): DomainEntity => {
        const latest = versions.at(-1);
        const known = latest === undefined ? {} : { latest_version: latest };
        return { kind: 'resource', name, ...known };
      }),
    ].sort((a, b) => (`${a.kind}/${a.name}` < `${b.kind}/${b.name}` ? -1 : 1));
    return { kind: 'found', value: { entities } };
  }

  async graph(domain: string): Promise<ReadReply<GraphDocument>> {
    const found = this.domain(domain);
    if (found.kind === 'refused') return found;
    const { state, activation } = this.#context;
    const { domain: name } = found.value;
    const failure = activation.failureOf(name);
    const report = await activation.status(name);
    const value = domainGraph(name, state.models(name), (model) =>
      failure === undefined ? graphNodeStatus(report, model) : { status: 'ERROR', detail: failure },
    );
    return { kind: 'found', value };
  }

  async openRows(
    request: RowsRequest,
    sink: RowsSink,
    principal: Principal,
  ): Promise<ReadReply<RowsStream>> {
    const { user, incarnation } = principal;
    const isStored = this.user(user) !== undefined;
    const { domain: asked, relay: name, where, delivery, sampleRate } = request;
    const view = streamView(this.#context, asked, name, where);
    if (view.kind === 'refused') return view;
    const { domain, relay, models } = view.value;
    const opened = await openView(
      this.#dataPlane,
      { domain, relay: relay.name, delivery, sampleRate, where: view.value.where },
      rowsReader(domain, relay.name, sink),
    );
    if (opened.kind === 'refused') return opened;
    // Events wait until the `opened` record is written, and that waits for the subscription: a
    // reader that got the record has a stream.
    await sink.write(openedLine(domain, relay, models));
    opened.value.begin();
    const stream = this.#userStreams.add(principal, sink, opened.value.stream);
    // Opening takes a while: a user that was dropped meanwhile reads no further.
    if (isStored && this.user(user)?.incarnation !== incarnation) {
      this.#userStreams.endOf(principal);
    }
    return { kind: 'found', value: stream };
  }

  async subscribe(
    request: SubscribeRequest,
    reader: SubscriptionReader,
  ): Promise<ReadReply<OpenedSubscription>> {
    const { parsed, statement } = request;
    const view = subscriptionView(this.#context, request.domain, statement, parsed);
    if (view.kind === 'refused') return view;
    const { domain, relay, models, where } = view.value;
    const { delivery, batchSampleRate: sampleRate } = statement;
    const { cellBytes } = request;
    const asked = { domain, relay: relay.name, delivery, sampleRate, where, cellBytes };
    const opened = await openView(this.#dataPlane, asked, reader);
    if (opened.kind === 'refused') return opened;
    const value = { ...opened.value, domain, relay: relay.name, schema: rowSchema(relay, models) };
    return { kind: 'found', value };
  }

  upload(request: UploadRequest): Promise<UploadReply> {
    return this.#context.resources.upload(request);
  }

  secrets(domain: string): ReadReply<SecretList> {
    const found = this.domain(domain);
    if (found.kind === 'refused') return found;
    return { kind: 'found', value: listSecrets(this.#context, found.value.domain) };
  }

  writeSecret(request: SecretWriteRequest): Promise<CommandReply> {
    return this.#secretRequests.write(request);
  }

  removeSecret(request: SecretRequest): Promise<CommandReply> {
    return this.#secretRequests.remove(request);
  }

  user(name: string): UserRecord | undefined {
    return this.#context.state.user(name);
  }

  unreadyReason(needs: ReadinessNeeds = {}): string | null {
    const { failure, leader } = this.#context.log.status();
    if (failure !== undefined) return failure.message;
    if (leader === undefined) return 'no leader is known';
    if (needs.isAdmitted === true && !this.#isAdmitted) return 'the node is starting';
    if (needs.isStaying === true && this.#isTerminating) return 'the node is stopping';
    return null;
  }

  async metricsText(): Promise<string> {
    return metricsText(await this.#dataPlane.metrics(), this.#context.log.status());
  }
}

function domainEntry(record: DomainRecord): DomainEntry {
  return {
    domain: record.name,
    status: domainStatus(record),
    pace: { t: 'Unpaced' },
    generation: record.generation,
  };
}
