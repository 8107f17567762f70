import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** An HTTP server that keeps the bodies it gets. */
export interface HttpSink {
  readonly origin: string;
  /** Bodies that were answered, in order of arrival. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

/** @param answerAfterMs how long every answer takes; the load that a slow consumer puts on a node */
export async function openHttpSink(answerAfterMs = 0): Promise<HttpSink> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (answerAfterMs > 0) await delay(answerAfterMs);
    bodies.push(body);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, bodies, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
