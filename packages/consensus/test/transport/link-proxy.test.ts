import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LinkProxy } from '../support/link-proxy.ts';
import { until } from '../support/transport-fixture.ts';

interface Line {
  readonly proxy: LinkProxy;
  readonly near: Socket;
  readonly far: Socket;
  /** What has arrived at each end. */
  readonly arrived: { near: string; far: string };
}

async function startLine(): Promise<Line> {
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    accepted.resolve(socket);
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await LinkProxy.start(`127.0.0.1:${port}`);
  const near = connect(Number(proxy.endpoint.split(':')[1]), '127.0.0.1');
  const far = await accepted.promise;
  const arrived = { near: '', far: '' };
  near.on('error', () => undefined).on('data', (it: Buffer) => (arrived.near += it.toString()));
  far.on('error', () => undefined).on('data', (it: Buffer) => (arrived.far += it.toString()));
  onTestFinished(async () => {
    near.destroy();
    far.destroy();
    await proxy.close();
    server.close();
  });
  return { proxy, near, far, arrived };
}

/** Resolves when the socket is closed, by an error or without one. */
function closed(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Resolves after everything that could happen at once has happened. */
async function settle(): Promise<void> {
  const { near, far } = await startLine();
  near.write('x');
  await once(far, 'data');
}

test('bytes pass both ways, and an end is passed on after them', async () => {
  const { near, far, arrived } = await startLine();
  near.write('there');
  far.write('back');
  await until(() => arrived.near === 'back' && arrived.far === 'there');
  near.end('last');
  await once(far, 'end');
  expect(arrived.far).toBe('therelast');
});

test('a cut of one direction keeps only its bytes until it heals', async () => {
  const { proxy, near, far, arrived } = await startLine();
  proxy.cut('forward');
  near.write('waits');
  far.write('passes');
  await until(() => arrived.near === 'passes');
  await settle();
  expect(arrived.far).toBe('');
  proxy.heal();
  await until(() => arrived.far === 'waits');
});

test('behind a cut the end of a process is not seen', async () => {
  const { proxy, near, far } = await startLine();
  proxy.cut();
  near.destroy();
  await settle();
  expect(far.destroyed).toBe(false);
  proxy.heal();
  await closed(far);
});

test('a delay holds bytes back and keeps their order', async () => {
  const { proxy, near, arrived } = await startLine();
  proxy.delay(120, 'forward');
  const sentAt = performance.now();
  near.write('1');
  near.write('2');
  await until(() => arrived.far === '12');
  expect(performance.now() - sentAt).toBeGreaterThan(110);
});

test('a limit slows a direction down', async () => {
  const { proxy, near, arrived } = await startLine();
  proxy.limit(100_000, 'forward');
  const sentAt = performance.now();
  near.write('x'.repeat(30_000));
  await until(() => arrived.far.length === 30_000);
  expect(performance.now() - sentAt).toBeGreaterThan(200);
});

test('a reset breaks connections and lets new ones through; a refusal lets none through', async () => {
  const { proxy, near, far } = await startLine();
  const ended = Promise.all([closed(near), closed(far)]);
  proxy.reset();
  await ended;
  const port = Number(proxy.endpoint.split(':')[1]);
  const again = connect(port, '127.0.0.1');
  await until(() => proxy.connections === 1);
  const isClosed = closed(again);
  proxy.refuse();
  await isClosed;
  await closed(connect(port, '127.0.0.1'));
  expect(proxy.connections).toBe(0);
  expect(proxy.openings).toBe(3);
});
