import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { RaftNode, TcpTransport } from '../../../src/index.ts';
import { ProcessRegisters } from './register-machine.ts';
import type { RegisterRequest, RegisterServerOptions } from './register-protocol.ts';
import { RegisterService } from './register-service.ts';
import { SlowDisk } from './slow-disk.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as RegisterServerOptions;
const machine = new ProcessRegisters();
const disk = new SlowDisk();

function serve(service: RegisterService, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  const lines = createInterface({ input: socket });
  lines.on('error', () => socket.destroy());
  lines.on('line', (line) => {
    void service.serve(JSON.parse(line) as RegisterRequest).then((reply) => {
      if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
    });
  });
}

function trace(event: unknown): void {
  if (process.env['TRACE_NODES'] === undefined) return;
  const text = JSON.stringify(event, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  process.stderr.write(`${options.nodeId} ${text}\n`);
}

const transport = new TcpTransport({
  listen: options.listen,
  advertise: options.advertise,
  tls: options.tls,
  resolve: async (host) => [options.hosts[host] ?? host],
  timing: { backoffMinMs: 50, backoffMaxMs: 400 },
});

try {
  const refusals: string[] = [];
  const node = await RaftNode.open({
    directory: options.directory,
    clusterId: options.clusterId,
    nodeId: options.nodeId,
    stateMachine: machine,
    featureLevel: options.featureLevel,
    timing: options.timing,
    retention: options.retention,
    diskSpace: options.diskSpace,
    intercept: disk.intercept,
    cluster: {
      transport,
      bootstrap: options.bootstrap,
      contacts: options.contacts,
      admits: ({ nodeId, incarnation }) => incarnation > machine.droppedThrough(nodeId),
    },
    observe: (event) => {
      trace(event);
      if (event.kind === 'refused') refusals.push(`${event.peer.nodeId}: ${event.reason}`);
    },
  });
  const service = new RegisterService({ node, machine, transport, disk, refusals });
  const server = createServer((socket) => serve(service, socket));
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
  const causes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    causes.push(`${cause.stack}`);
  process.stderr.write(`${causes.join('\ncaused by ') || String(error)}\n`);
  process.exit(2);
}
