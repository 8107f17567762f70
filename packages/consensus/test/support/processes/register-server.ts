import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { isRaftError, RaftNode, type RaftNodeOptions, TcpTransport } from '../../../src/index.ts';
import type { CredentialBundle } from '../../../src/transport/credentials.ts';
import {
  encodeRegisterCommand,
  ProcessRegisters,
  type RegisterCommand,
} from './register-machine.ts';

/** How a process is told what to be: one JSON text as its only argument. */
export interface RegisterServerOptions {
  readonly nodeId: string;
  readonly directory: string;
  /** Where the other members reach this process. */
  readonly listen: string;
  readonly advertise: string;
  /** Addresses of the other members as this process is to see them. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly bootstrap: boolean;
  readonly contacts: readonly string[];
  readonly timing: NonNullable<RaftNodeOptions['timing']>;
  readonly retention: NonNullable<RaftNodeOptions['retention']>;
  readonly tls: CredentialBundle | 'plaintext';
  /** Whether little disk space refuses commands beforehand. */
  readonly watchesDisk: boolean;
}

/** One request of a client, as a line of JSON. */
export type RegisterRequest =
  | { readonly id: number; readonly op: 'change'; readonly command: RegisterCommand }
  | { readonly id: number; readonly op: 'read'; readonly key: number }
  | { readonly id: number; readonly op: 'status' };

/** Its answer. A refusal has no effect; `unknown` may have one. */
export interface RegisterAnswer {
  readonly id: number;
  readonly answer?: unknown;
  readonly refused?: string;
  readonly unknown?: string;
}

const options = JSON.parse(process.argv[2] ?? '{}') as RegisterServerOptions;
const machine = new ProcessRegisters();

function statusOf(node: RaftNode): unknown {
  const status = node.status();
  const { voters, learners, outgoing } = status.configuration?.configuration ?? {
    voters: [],
    learners: [],
    outgoing: [],
  };
  const names = (members: readonly { readonly nodeId: string }[]) => members.map((it) => it.nodeId);
  return {
    role: status.role,
    term: String(status.term),
    leader: status.leader?.nodeId,
    applied: String(status.appliedIndex),
    first: String(status.firstIndex),
    snapshot: String(status.snapshotIndex ?? ''),
    storeId: status.identity.storeId,
    voters: names(voters),
    learners: names(learners),
    isJoint: outgoing.length > 0,
    failure: status.failure?.message,
  };
}

async function answer(node: RaftNode, request: RegisterRequest): Promise<unknown> {
  if (request.op === 'status') return statusOf(node);
  if (request.op === 'read') {
    await node.read();
    return machine.read(request.key);
  }
  const { result } = await node.propose(encodeRegisterCommand(request.command));
  return Number(new TextDecoder().decode(result));
}

async function serveRequest(node: RaftNode, request: RegisterRequest): Promise<RegisterAnswer> {
  const { id } = request;
  try {
    return { id, answer: await answer(node, request) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isUncertain =
      isRaftError(error, 'RAFT_LEADERSHIP_LOST') ||
      (isRaftError(error, 'RAFT_STORAGE_FAILED') && error.details.isUncertain);
    return isUncertain ? { id, unknown: text } : { id, refused: text };
  }
}

function serve(node: RaftNode, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  const lines = createInterface({ input: socket });
  lines.on('error', () => socket.destroy());
  lines.on('line', (line) => {
    void serveRequest(node, JSON.parse(line) as RegisterRequest).then((reply) => {
      if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
    });
  });
}

const transport = new TcpTransport({
  listen: options.listen,
  advertise: options.advertise,
  tls: options.tls,
  resolve: async (host) => [options.hosts[host] ?? host],
  timing: { backoffMinMs: 50, backoffMaxMs: 400 },
});

try {
  const node = await RaftNode.open({
    directory: options.directory,
    clusterId: 'registers',
    nodeId: options.nodeId,
    stateMachine: machine,
    timing: options.timing,
    retention: options.retention,
    diskSpace: options.watchesDisk ? undefined : 'unwatched',
    cluster: { transport, bootstrap: options.bootstrap, contacts: options.contacts },
    observe: (event) => {
      if (process.env['TRACE_NODES'] === undefined) return;
      const text = JSON.stringify(event, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      process.stderr.write(`${options.nodeId} ${text}\n`);
    },
  });
  const server = createServer((socket) => serve(node, socket));
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    process.stdout.write(`${JSON.stringify({ port })}\n`);
  });
  node.subscribe(({ isFailed }) => {
    if (!isFailed) return;
    process.stderr.write(`${node.status().failure?.stack}\n`);
    // Give the clients that wait their answers.
    setTimeout(() => process.exit(3), 200);
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(2);
}
