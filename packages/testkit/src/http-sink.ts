import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** An HTTP server that keeps the bodies it gets. */
export interface HttpSink {
  readonly origin: string;
  /** Bodies that were answered, in order of arrival. */
  readonly bodies: readonly string[];
  /** The same as bytes. */
  readonly payloads: readonly Buffer[];
  close(): Promise<void>;
}

/** @param answerAfterMs how long every answer takes; the load that a slow consumer puts on a node */
export async function openHttpSink(answerAfterMs = 0): Promise<HttpSink> {
  const bodies: string[] = [];
  const payloads: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const payload = Buffer.concat(chunks);
    if (answerAfterMs > 0) await delay(answerAfterMs);
    payloads.push(payload);
    bodies.push(payload.toString());
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { origin, bodies, payloads, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
