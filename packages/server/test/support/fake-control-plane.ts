import type {
  CommandRequest,
  DomainEntry,
  EntityList,
  GraphDocument,
  SecretList,
  TransactionEntry,
} from '@nervix/protocol';
import type { SubscriptionReader } from '@nervix/runtime/data-plane';
import type {
  SecretRequest,
  SecretWriteRequest,
} from '../../src/control-plane/commands/secrets/secret-requests.ts';
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
} from '../../src/control-plane/control-plane.ts';
import type {
  InspectReply,
  InspectRequest,
} from '../../src/control-plane/reads/inspect-transaction.ts';
import {
  type SuggestionReply,
  type SuggestionRequest,
  suggest,
} from '../../src/control-plane/reads/suggest.ts';
import type { AttachReply, AttachRequest } from '../../src/control-plane/transactions/attach.ts';
import type { SessionEnd } from '../../src/control-plane/transactions/leave.ts';
import {
  TransactionBindings,
  type TransactionHolder,
} from '../../src/control-plane/transactions/transaction-bindings.ts';
import type { TransactionRecord, UserRecord } from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import type { UploadReply, UploadRequest } from '../../src/resources/resource-uploads.ts';
import { storedUser } from './users.ts';

const shop: DomainEntry = {
  domain: 'shop',
  status: 'Running',
  pace: { t: 'Unpaced' },
  generation: 3,
};

const unknownTransaction = {
  kind: 'failed',
  code: 'TRANSACTION_NOT_FOUND',
  message: "transaction 'x' is unknown",
  diagnostics: [],
} as const;

/** A control plane that answers from its fields and remembers what it was asked. */
export class FakeControlPlane implements ControlPlane {
  readonly executed: {
    request: CommandRequest;
    principal: Principal;
    session: CommandSession | undefined;
  }[] = [];
  readonly left: { transaction: string; end: SessionEnd }[] = [];
  entries: readonly TransactionEntry[] = [];
  view: LeadershipView = { kind: 'serving', node: 'n1', cluster: 'c1' };
  listed: readonly DomainEntry[] = [shop];
  /** The one user. */
  ada: UserRecord = { kind: 'user', name: 'ada', ...storedUser('ada', 'hash of right') };
  readonly #userListeners: ((user: string) => void)[] = [];
  onInspect: (request: InspectRequest) => Promise<InspectReply> = async () => ({
    kind: 'refused',
    refusal: unknownTransaction,
  });
  onAttach: (request: AttachRequest) => Promise<AttachReply> = async () => ({
    kind: 'refused',
    refusal: unknownTransaction,
  });
  onTransaction: (id: string) => TransactionRecord | undefined = () => undefined;
  readonly opened: { request: RowsRequest; sink: RowsSink }[] = [];
  readonly subscribed: { request: SubscribeRequest; reader: SubscriptionReader }[] = [];
  /** What was begun and closed of the opened subscriptions. */
  readonly views: string[] = [];
  onSubscribe: (request: SubscribeRequest) => Promise<ReadReply<OpenedSubscription>> = async ({
    domain,
    statement: { name, relay },
  }) => ({
    kind: 'found',
    value: {
      domain,
      relay,
      schema: {
        fields: [{ name: 'id', type: { t: 'U8' }, nullable: false, sensitive: false }],
      },
      begin: () => this.views.push(`begin ${name}`),
      stream: {
        close: async () => {
          this.views.push(`close ${name}`);
        },
      },
    },
  });
  /** Streams that were closed by the listener. */
  closedStreams = 0;
  unready: string | null = null;
  /** What the last check of readiness asked for. */
  needs: ReadinessNeeds | undefined;
  metrics = 'nervix_term 1\n';
  onExecute: (request: CommandRequest, session?: CommandSession) => Promise<CommandReply> = async (
    request,
  ) => ({
    kind: 'completed',
    outcome: {
      execution_reference: request.execution_reference ?? '',
      origin: 'Executed',
      disposition: { t: 'CommandCompleted', already_existed: false },
      message: 'done',
      diagnostics: [],
    },
  });
  onOpenRows: (request: RowsRequest, sink: RowsSink) => Promise<ReadReply<RowsStream>> = async () =>
    this.stream();

  onUpload: (request: UploadRequest) => Promise<UploadReply> = async ({ identity }) => ({
    kind: 'installed',
    value: { upload_identity: identity, version: 1, origin: 'Executed', message: 'done' },
  });

  stream(): ReadReply<RowsStream> {
    const close = async (): Promise<void> => {
      this.closedStreams += 1;
    };
    return { kind: 'found', value: { close } };
  }

  async execute(
    request: CommandRequest,
    principal: Principal,
    session?: CommandSession,
  ): Promise<CommandReply> {
    this.executed.push({ request, principal, session });
    return this.onExecute(request, session);
  }

  async attach(request: AttachRequest): Promise<AttachReply> {
    return this.onAttach(request);
  }

  isAttached(): boolean {
    return true;
  }

  async leave(transaction: string, _holder: TransactionHolder, end: SessionEnd): Promise<void> {
    this.left.push({ transaction, end });
  }

  async inspect(request: InspectRequest): Promise<InspectReply> {
    return this.onInspect(request);
  }

  transactions(): readonly TransactionEntry[] {
    return this.entries;
  }

  transaction(id: string): TransactionRecord | undefined {
    return this.onTransaction(id);
  }

  suggest(request: SuggestionRequest): SuggestionReply {
    const bindings = new TransactionBindings(() => 1n);
    return suggest({ state: new ReplicatedState(), bindings }, request);
  }

  leadership(): LeadershipView {
    return this.view;
  }

  onUserRemoved(listener: (user: string) => void): void {
    this.#userListeners.push(listener);
  }

  removeUser(user: string): void {
    for (const listener of this.#userListeners) listener(user);
  }

  domains(): readonly DomainEntry[] {
    return this.listed;
  }

  domain(name: string): ReadReply<DomainEntry> {
    return name === 'shop' ? { kind: 'found', value: shop } : this.#unknown(name);
  }

  entities(domain: string): ReadReply<EntityList> {
    return domain === 'shop'
      ? { kind: 'found', value: { entities: [{ kind: 'relay', name: 'orders' }] } }
      : this.#unknown(domain);
  }

  async graph(domain: string): Promise<ReadReply<GraphDocument>> {
    return domain === 'shop'
      ? { kind: 'found', value: { domain, nodes: [], edges: [] } }
      : this.#unknown(domain);
  }

  async openRows(request: RowsRequest, sink: RowsSink): Promise<ReadReply<RowsStream>> {
    this.opened.push({ request, sink });
    return this.onOpenRows(request, sink);
  }

  async subscribe(
    request: SubscribeRequest,
    reader: SubscriptionReader,
  ): Promise<ReadReply<OpenedSubscription>> {
    const begun = Promise.withResolvers<void>();
    this.subscribed.push({ request, reader: (event) => begun.promise.then(() => reader(event)) });
    const reply = await this.onSubscribe(request);
    if (reply.kind === 'refused') return reply;
    const begin = (): void => {
      reply.value.begin();
      begun.resolve();
    };
    return { kind: 'found', value: { ...reply.value, begin } };
  }

  async upload(request: UploadRequest): Promise<UploadReply> {
    return this.onUpload(request);
  }

  secrets(): ReadReply<SecretList> {
    return { kind: 'found', value: { secrets: [] } };
  }

  async writeSecret({ reference }: SecretWriteRequest): Promise<CommandReply> {
    return { kind: 'failed', error: { ...unknownTransaction, execution_reference: reference } };
  }

  async removeSecret({ reference }: SecretRequest): Promise<CommandReply> {
    return { kind: 'failed', error: { ...unknownTransaction, execution_reference: reference } };
  }

  user(name: string): UserRecord | undefined {
    return name === 'ada' ? this.ada : undefined;
  }

  unreadyReason(needs?: ReadinessNeeds): string | null {
    this.needs = needs;
    return this.unready;
  }

  async metricsText(): Promise<string> {
    return this.metrics;
  }

  #unknown(domain: string): {
    kind: 'refused';
    error: { code: 'NOT_FOUND'; message: string; diagnostics: [] };
  } {
    return {
      kind: 'refused',
      error: { code: 'NOT_FOUND', message: `domain '${domain}' does not exist`, diagnostics: [] },
    };
  }
}
