import type { CommandRequest, DomainEntry, EntityList, GraphDocument } from '@nervix/protocol';
import type {
  CommandReply,
  ControlPlane,
  Principal,
  ReadinessNeeds,
  ReadReply,
  RowsRequest,
  RowsSink,
  RowsStream,
} from '../../src/control-plane/control-plane.ts';
import type { UploadReply, UploadRequest } from '../../src/resources/resource-uploads.ts';

const shop: DomainEntry = {
  domain: 'shop',
  status: 'Running',
  pace: { t: 'Unpaced' },
  generation: 3,
};

/** A control plane that answers from its fields and remembers what it was asked. */
export class FakeControlPlane implements ControlPlane {
  readonly executed: { request: CommandRequest; principal: Principal }[] = [];
  readonly opened: { request: RowsRequest; sink: RowsSink }[] = [];
  /** Streams that were closed by the listener. */
  closedStreams = 0;
  unready: string | null = null;
  /** What the last check of readiness asked for. */
  needs: ReadinessNeeds | undefined;
  metrics = 'nervix_term 1\n';
  onExecute: (request: CommandRequest) => Promise<CommandReply> = async (request) => ({
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

  async execute(request: CommandRequest, principal: Principal): Promise<CommandReply> {
    this.executed.push({ request, principal });
    return this.onExecute(request);
  }

  domains(): readonly DomainEntry[] {
    return [shop];
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

  async upload(request: UploadRequest): Promise<UploadReply> {
    return this.onUpload(request);
  }

  passwordHash(user: string): string | undefined {
    return user === 'ada' ? 'hash of right' : undefined;
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
