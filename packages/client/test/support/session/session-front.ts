import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  API_PATHS,
  type CommandOutcome,
  type ErrorBody,
  type TransactionStatus,
  type WireDiagnostic,
} from '@nervix/protocol';
import {
  type ClientRequest,
  DEFAULT_FRAME_LIMITS,
  encodeServerFrame,
  type FrameDisposition,
  type FrameTransaction,
  type ReplyBody,
  readClientFrame,
  type ServerBody,
} from '@nervix/protocol/session';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SeenRequest } from '../fake-server.js';
import { WELCOME } from './fake-session-server.js';

type CommandFrame = Extract<ClientRequest, { t: 'CommandRequest' }>;
type Answer = Partial<CommandOutcome> & Partial<ErrorBody>;
type Respond = (request: SeenRequest, response: ServerResponse) => void;

function transactionFrame(status: TransactionStatus): FrameTransaction {
  return {
    id: status.id,
    domain: status.domain,
    state: { t: status.state },
    accepted_operations: BigInt(Math.max(0, status.accepted_operations)),
    applied_operations: BigInt(status.applied_operations),
  };
}

function diagnosticFrames(diagnostics: readonly WireDiagnostic[]) {
  return diagnostics.map(({ operation, ...rest }) =>
    operation === undefined ? rest : { ...rest, operation: BigInt(operation) },
  );
}

/** An answer of the HTTP API as the outcome of a session. */
function outcomeFrame(frame: CommandFrame, { error, ...outcome }: Answer): ReplyBody {
  const { message = '', diagnostics = [], transaction } = error ?? outcome;
  const disposition: FrameDisposition =
    error === undefined
      ? { t: 'CommandCompleted', already_existed: false }
      : { t: 'RequestFailed', code: error.code };
  return {
    t: 'CommandOutcome',
    execution_reference: frame.execution_reference,
    origin: 'Executed',
    disposition,
    message,
    diagnostics: diagnosticFrames(diagnostics),
    ...(transaction === undefined ? {} : { transaction: transactionFrame(transaction) }),
  };
}

/** Lets a server that answers HTTP requests answer sessions too, in the same way. */
export class SessionFront {
  readonly #respond: Respond;
  readonly #seen: (request: SeenRequest) => void;
  readonly #sockets = new WebSocketServer({ noServer: true });
  /** Transactions by their ids, as they were last told. */
  readonly #known: Map<string, TransactionStatus> = new Map();

  constructor(respond: Respond, seen: (request: SeenRequest) => void) {
    this.#respond = respond;
    this.#seen = seen;
  }

  /** Sells a ticket; whether the request asked for one. */
  sellTicket(message: IncomingMessage, response: ServerResponse): boolean {
    if (message.url !== API_PATHS.tickets) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ticket":"any"}');
    return true;
  }

  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(message, socket, head, (opened) => this.#open(opened));
  }

  terminate(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  #open(socket: WebSocket): void {
    let bound: string | undefined;
    const send = (body: ServerBody): void => socket.send(encodeServerFrame({ body }));
    const reply = (id: bigint, body: ReplyBody): void => send({ t: 'Reply', request_id: id, body });
    send(WELCOME);
    socket.on('error', () => undefined);
    socket.on('message', (bytes: Buffer) => {
      const reading = readClientFrame(bytes, DEFAULT_FRAME_LIMITS);
      if (reading.kind !== 'request') throw new Error(`the client sent ${reading.kind}`);
      const { request_id: id, request } = reading.frame;
      if (request.t === 'AttachTransactionRequest') {
        bound = request.transaction_id;
        reply(id, this.#attach(bound));
      } else if (request.t === 'CommandRequest') {
        this.#command(socket, request, bound, (answer) => {
          const { transaction } = answer.error ?? answer;
          if (transaction !== undefined) {
            bound = transaction.id;
            this.#known.set(transaction.id, transaction);
          }
          reply(id, outcomeFrame(request, answer));
        });
      } else {
        reply(id, { t: 'RequestRejected', rejection: 'UnsupportedRequest', message: request.t });
      }
    });
  }

  #attach(id: string): ReplyBody {
    const status = this.#known.get(id);
    return {
      t: 'AttachOutcome',
      disposition:
        status === undefined
          ? { t: 'RequestFailed', code: 'NOT_FOUND' }
          : { t: 'TransactionAttached', transaction: transactionFrame(status) },
      message: status === undefined ? `transaction '${id}' is unknown` : '',
      diagnostics: [],
    };
  }

  #command(
    socket: WebSocket,
    frame: CommandFrame,
    transaction: string | undefined,
    answered: (answer: Answer) => void,
  ): void {
    const { query, domain, execution_reference, expected_transaction_position: position } = frame;
    const request: SeenRequest = {
      method: 'POST',
      path: API_PATHS.commands,
      parameters: new URLSearchParams(),
      authorization: undefined,
      accept: undefined,
      command: {
        query,
        execution_reference,
        ...(domain === undefined ? {} : { domain }),
        ...(transaction === undefined ? {} : { transaction }),
        ...(position === undefined ? {} : { expected_transaction_position: Number(position) }),
      },
    };
    this.#seen(request);
    const response = {
      writeHead: () => response,
      setHeader: () => response,
      end: (text: string) => answered(JSON.parse(text) as Answer),
      destroy: () => socket.terminate(),
    };
    this.#respond(request, response as unknown as ServerResponse);
  }
}
