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
  /** The transaction that the session had last. */
  #transaction: string | undefined;

  constructor(node: ControlNode, client: SessionClient) {
    this.#node = node;
    this.client = client;
  }

  async run(
    query: string,
    {
      reference = this.#node.reference(),
      expected_transaction_position: stated,
      ...rest
    }: {
      reference?: string;
      /** `null` names none; absent is where the transaction of the session stands. */
      expected_transaction_position?: bigint | null;
      domain?: string;
    } = {},
  ): Promise<CommandOutcome> {
    const position = stated === undefined ? this.#position(reference) : stated;
    const body = await this.client.ask({
      t: 'CommandRequest',
      query,
      domain: 'd',
      execution_reference: reference,
      ...(position === null ? {} : { expected_transaction_position: position }),
      ...rest,
    });
    if (body.t !== 'CommandOutcome') throw new Error(`${query} was answered with ${body.t}`);
    this.#transaction = body.transaction?.id ?? this.#transaction;
    // A session has no transaction any more once it was told that it is over.
    const state = this.#node.state.transaction(this.#transaction ?? '')?.state;
    if (state !== 'OPEN' && state !== 'COMMITTING') this.#transaction = undefined;
    return body;
  }

  /** Where the next statement belongs, or where the one belonged that is repeated. */
  #position(reference: string): bigint | null {
    const { state } = this.#node;
    const known = state.reference(reference);
    if (known !== undefined) return known.position === null ? null : BigInt(known.position);
    return this.#transaction === undefined
      ? null
      : BigInt(state.transaction(this.#transaction)?.accepted ?? 0);
  }

  async attach(transaction_id: string): Promise<ReplyBody> {
    const body = await this.client.ask({ t: 'AttachTransactionRequest', transaction_id });
    if (body.t === 'AttachOutcome' && body.disposition.t === 'TransactionAttached') {
      this.#transaction = transaction_id;
    }
    return body;
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
