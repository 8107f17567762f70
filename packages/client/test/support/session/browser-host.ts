import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A page beside a node, of one origin with it. */
export interface BrowserHost {
  /** Address of the page. */
  readonly page: string;
}

/**
 * Serves a page whose script has a result, and hands everything else on to a node.
 *
 * @param script the page's script; it defines `run`, which resolves with a text
 */
export async function startBrowserHost(script: string, node: string): Promise<BrowserHost> {
  const { hostname, port } = new URL(node);
  /** What the page waits for until its script has a result. */
  let held: ServerResponse | undefined;
  const own: Record<string, (response: ServerResponse) => void> = {
    '/page': (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(script));
    },
    '/held': (response) => {
      held = response;
    },
    '/done': (response) => {
      held?.writeHead(204).end();
      response.writeHead(204).end();
    },
  };
  const server = createServer((message, response) => {
    const answer = own[message.url ?? ''];
    if (answer === undefined) forward(message, response);
    else answer(response);
  });
  const forward = (message: IncomingMessage, response: ServerResponse): void => {
    const { method, url, headers } = message;
    const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    message.pipe(passed);
  };
  server.on('upgrade', (message, socket, head) => {
    const passed = connect(Number(port), hostname, () => {
      const { rawHeaders } = message;
      const lines = rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
      );
      passed.write(`GET ${message.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      passed.write(head);
      passed.pipe(socket).pipe(passed);
    });
    passed.on('error', () => socket.destroy());
    socket.on('error', () => passed.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { page: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page` };
}

function pageOf(script: string): string {
  return `<!doctype html><meta charset="utf-8"><pre>nothing</pre>
<script>${script.replaceAll('</script', '<\\/script')}</script>
<script>
  const show = (text) => { document.querySelector('pre').textContent = text; };
  run().then(show, (error) => show('failed: ' + error)).then(() => fetch('/done'));
</script>
<img src="/held">`;
}
