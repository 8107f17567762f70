import type { CommandOutcome, ReplyBody } from '@nervix/protocol/session';
import { type ControlNode, openWithRelay } from './control-node.ts';
import { authorizationOf, listenOver } from './session.ts';
import { SessionClient } from './session-client.ts';

/** A node with the domain `d`, and how its users open sessions. */
export async function openNode() {
  const node = await openWithRelay();
  const { port } = await listenOver(node.plane);
  const session = async (user = 'ada'): Promise<NodeSession> => {
    const headers = { authorization: authorizationOf(user) };
    return new NodeSession(node, await SessionClient.connect(port, { headers }));
  };
  return { node, port, session };
}

/** A session that selects the domain `d`. */
export class NodeSession {
  readonly client: SessionClient;
  readonly #node: ControlNode;

  constructor(node: ControlNode, client: SessionClient) {
    this.#node = node;
    this.client = client;
  }

  async run(
    query: string,
    {
      reference = this.#node.reference(),
      ...rest
    }: {
      reference?: string;
      expected_transaction_position?: bigint;
      domain?: string;
    } = {},
  ): Promise<CommandOutcome> {
    const body = await this.client.ask({
      t: 'CommandRequest',
      query,
      domain: 'd',
      execution_reference: reference,
      ...rest,
    });
    if (body.t !== 'CommandOutcome') throw new Error(`${query} was answered with ${body.t}`);
    return body;
  }

  attach(transaction_id: string): Promise<ReplyBody> {
    return this.client.ask({ t: 'AttachTransactionRequest', transaction_id });
  }

  async begin(): Promise<string> {
    const { transaction } = await this.run('BEGIN;');
    if (transaction === undefined) throw new Error('BEGIN named no transaction');
    return transaction.id;
  }

  suggest(input: string): Promise<ReplyBody> {
    const cursor = Buffer.byteLength(input);
    return this.client.ask({ t: 'SuggestRequest', input, cursor, domain: 'd', page_size: 100 });
  }
}
