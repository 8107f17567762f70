import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../src/logging/logger.ts';
import { ConsensusCounts } from '../../src/observability/consensus-counts.ts';
import { EventLoopLateness } from '../../src/observability/event-loop-lateness.ts';
import { createObservabilityListener } from '../../src/observability/observability-listener.ts';
import { SessionCounts } from '../../src/observability/session-counts.ts';
import { FakeControlPlane } from '../support/fake-control-plane.ts';
import { parsePrometheusText } from '../support/prometheus-text.ts';

async function start() {
  const plane = new FakeControlPlane();
  const logLines: string[] = [];
  const logger = createLogger({
    level: 'info',
    format: 'json',
    node: 'n',
    write: (line) => logLines.push(line),
  });
  const counts = new SessionCounts();
  const consensus = new ConsensusCounts();
  const all = { session: counts, consensus };
  const address = { host: '127.0.0.1', port: 0 };
  const listener = createObservabilityListener(address, plane, all, logger);
  const { port } = await listener.listen();
  onTestFinished(() => listener.close());
  const get = (path: string, method = 'GET'): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { plane, counts, consensus, all, listener, port, get, logLines, logger };
}

test.each(['/livez', '/healthz'])(
  'CS-155 CL-102: %s is live while the process runs',
  async (path) => {
    const { get, plane } = await start();
    plane.unready = 'no leader';
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('live\n');
  },
);

test('CS-155 CL-102: /readyz is 200, or 503 with the reason', async () => {
  const { get, plane } = await start();
  const ready = await get('/readyz');
  expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
  plane.unready = 'no leader is known';
  const unready = await get('/readyz');
  expect([unready.status, await unready.text()]).toEqual([503, 'no leader is known\n']);
});

test.each([
  ['', false, false],
  ['?', false, false],
  ['?admitted=1', true, false],
  ['?shutdown=1', false, true],
  ['?admitted=1&shutdown=1', true, true],
  ['?admitted=0', false, false],
])(
  'CL-102: /readyz%s asks for admission: %j, for staying: %j',
  async (query, admitted, staying) => {
    const { get, plane } = await start();
    expect((await get(`/readyz${query}`)).status).toBe(200);
    expect(plane.needs).toEqual({ isAdmitted: admitted, isStaying: staying });
  },
);

test.each(['?admitted=true', '?shutdown=', '?ready=1', '?admitted=1&x'])(
  '/readyz%s is refused rather than taken for another question',
  async (query) => {
    const { get } = await start();
    expect((await get(`/readyz${query}`)).status).toBe(400);
  },
);

test('CL-98, CL-99: /metrics holds the series of the node and of the process', async () => {
  const { get, plane } = await start();
  plane.metrics = 'nervix_consensus_term 4';
  const response = await get('/metrics');
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(
    /^nervix_consensus_term 4\n# TYPE nervix_consensus_leader_changes_total counter\n/,
  );
  expect(text).toMatch(/^# HELP nervix_jemalloc_/m);
  for (const name of ['allocated', 'active', 'mapped', 'metadata', 'resident', 'retained']) {
    expect(text).toMatch(new RegExp(`^nervix_jemalloc_${name}_bytes [1-9][0-9]*$`, 'm'));
  }
  expect(text).toMatch(/^nervix_node_scheduler_delay_seconds_total [0-9.e-]+$/m);
  expect(text).toMatch(/^nervix_node_scheduler_samples_total \d+$/m);
  expect(text).toMatch(/^nervix_node_scheduler_delay_peak_seconds [0-9.e-]+$/m);
});

test('CL-99: /metrics holds connections and requests of the session listener', async () => {
  const { get, counts, plane } = await start();
  plane.metrics = '';
  const value = async (name: string): Promise<[ReadonlyMap<string, string>, number][]> => {
    const families = parsePrometheusText(
      (await (await get('/metrics')).text()).replace(/^\n/gm, ''),
    );
    return (families.get(name)?.samples ?? []).map(({ labels, value }) => [labels, value]);
  };
  expect(await value('nervix_session_connections')).toEqual([
    [new Map([['transport', 'http']]), 0],
    [new Map([['transport', 'websocket']]), 0],
  ]);
  counts.opened();
  counts.opened();
  counts.opened();
  counts.closed();
  counts.sessionOpened();
  counts.answered('execute', 'COMPLETED');
  counts.answered('execute', 'COMPLETED');
  counts.answered('-', 'REQUEST_TIMEOUT');
  for (let scrape = 0; scrape < 2; scrape += 1) {
    expect(await value('nervix_session_connections')).toEqual([
      [new Map([['transport', 'http']]), 1],
      [new Map([['transport', 'websocket']]), 1],
    ]);
    expect(await value('nervix_session_requests_total')).toEqual([
      [
        new Map([
          ['request', 'execute'],
          ['result', 'COMPLETED'],
        ]),
        2,
      ],
      [
        new Map([
          ['request', '-'],
          ['result', 'REQUEST_TIMEOUT'],
        ]),
        1,
      ],
    ]);
  }
});

test('a failed scrape is 500 and logged', async () => {
  const { get, plane, logLines } = await start();
  plane.metricsText = async () => {
    throw new Error('inner fault');
  };
  const response = await get('/metrics');
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('inner fault');
  expect(logLines.join('')).toContain('inner fault');
});

test('other paths and methods are refused, HEAD answers without a body', async () => {
  const { get } = await start();
  expect((await get('/')).status).toBe(404);
  const posted = await get('/metrics', 'POST');
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await get('/livez', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('an address that is taken rejects, and a close ends idle connections', async () => {
  const { port, plane, all, get, listener, logger } = await start();
  const second = createObservabilityListener({ host: '127.0.0.1', port }, plane, all, logger);
  await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await second.close();
  await get('/livez');
  await listener.close();
  await expect(get('/livez')).rejects.toThrow();
});

test('CL-99: lateness is the time beyond the interval of 250 ms', () => {
  let now = 1000;
  const lateness = new EventLoopLateness(() => now);
  lateness.start();
  lateness.stop();
  for (const next of [1250, 1600, 1850, 2850]) {
    now = next;
    lateness.sample();
  }
  expect(lateness.totals()).toEqual({ delaySeconds: 0.85, samples: 4, peakSeconds: 0.75 });
});
