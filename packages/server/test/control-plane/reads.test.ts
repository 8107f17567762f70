import { describe, expect, test } from 'vitest';
import { type ControlNode, openControlNode, openWithRelay } from '../support/control-node.ts';
import { SHOP_PIPELINE } from '../support/shop-pipeline.ts';

async function openShop(): Promise<ControlNode> {
  const node = await openControlNode();
  await node.run('CREATE DOMAIN d;');
  await node.run(`BEGIN; ${SHOP_PIPELINE.join('\n')} COMMIT;`);
  return node;
}

const lines = (...parts: readonly string[]): string => parts.join('\n');

describe('TX-1, TX-3, TX-4: DESCRIBE of every kind', () => {
  test.each([
    [
      'TX-9 DESCRIBE RELAY sales;',
      lines(
        'relay: sales',
        'kind: RELAY',
        'owner: n1',
        'replicas: -',
        'schema: sale',
        'branched by: by_tenant',
        'branch fields: tenant',
        'capacity: 64',
        'materialized state: none',
        'branch-local describe: use WHERE bindings',
      ),
    ],
    [
      'TX-12 DESCRIBE INGESTOR sales_in;',
      lines(
        'ingestor: sales_in',
        'kind: INGESTOR',
        'source: ENDPOINT',
        'streams: sales',
        'codec: sale_codec',
        'owner: n1',
        'timestamp: NOW',
        'status: stopped',
        'ready: false',
        'quiesce: REJECT RETRY AFTER 1s',
        'quiesce state: none',
        'nervix_ingestor_quiesce_buffered_records: 0',
        'nervix_ingestor_quiesce_buffered_bytes: 0',
        'nervix_ingestor_quiesce_dropped_total: 0',
        'nervix_ingestor_quiesce_rejected_total: 0',
        'outputs: 1',
        'output 0: into=sales construction=present branch=by_tenant flush=50ms max-batch-size=256KiB',
        'memory-backpressure: inactive',
        'transient error: -',
        'reconnect backoff: -',
        'reconnect wait: -',
        'decode errors: LOG count=0',
      ),
    ],
    [
      'TX-14 TX-15 DESCRIBE DEDUPLICATOR once;',
      lines(
        'deduplicator: once',
        'kind: DEDUPLICATOR',
        'owner: n1',
        'replicas: -',
        'from: sales',
        'mode: ATTACHED',
        'deduplicate on: input.id, input.amount',
        'max time: 10m',
        'filter-where: none',
        'branch-local: true',
        'persistent state: true',
        'replicated state: true',
        'state structures: 1',
        'structure 0:',
        '  function: DEDUPLICATE_ON',
        '  storage: recent_key_set',
        '  key expressions: input.id, input.amount',
        '  max time: 10m',
        'outputs: 1',
        'output 0: into=unique_sales construction=present branch=NODE-WIDE flush=100ms max-batch-size=1MiB',
      ),
    ],
    [
      'TX-14 DESCRIBE JUNCTION big;',
      lines(
        'junction: big',
        'kind: JUNCTION',
        'owner: n1',
        'replicas: -',
        'from: unique_sales',
        'branch: by_tenant',
        'mode: ATTACHED',
        'filter-where: none',
        'branch-local: true',
        'outputs: 1',
        'output 0: into=big_sales construction=present branch=NODE-WIDE flush=IMMEDIATE',
      ),
    ],
    [
      'TX-14 TX-16 DESCRIBE WINDOW PROCESSOR totals;',
      lines(
        'window processor: totals',
        'kind: WINDOW PROCESSOR',
        'owner: n1',
        'replicas: -',
        'from: unique_sales',
        'mode: Attached',
        'width: 100 MESSAGES',
        'step: 10 MESSAGES',
        'filter-where: none',
        'branch-local: true',
        'aggregate structures: 4',
        'outputs: 1',
        'output 0: into=summaries construction=present branch=NODE-WIDE flush=none',
        'structure 0:',
        '  functions: COUNT',
        '  storage: counter',
        '  references: 1',
        '  input: input.id',
        'structure 1:',
        '  functions: FIRST, LAST',
        '  storage: sequence',
        '  references: 2',
        '  input: input.amount',
        'structure 2:',
        '  functions: MAX, MIN',
        '  storage: extremes',
        '  references: 2',
        '  input: input.amount',
        'structure 3:',
        '  functions: AVG',
        '  storage: moments',
        '  references: 1',
        '  input: input.amount',
      ),
    ],
    [
      'TX-19 TX-20 TX-21 DESCRIBE EMITTER alerts;',
      lines(
        'emitter: alerts',
        'kind: EMITTER',
        'owner: n1',
        'replicas: -',
        'status: OK',
        'detail: -',
        'transient error: -',
        'reconnect backoff: -',
        'reconnect wait: -',
        'from: big_sales',
        'codec: sale_codec',
        'body: codec',
        "sink: HTTP client=desk method='POST' path='/alerts'",
        'batch: none',
        'flush: FLUSH IMMEDIATE',
        'publishing mode: MODE ACK RETRY POLICY BACKOFF 100ms MAX 5s',
        'filter-map: present',
      ),
    ],
    [
      'TX-23 DESCRIBE ENDPOINT sales_endpoint;',
      lines(
        'endpoint: sales_endpoint',
        'kind: ENDPOINT',
        'vhost: shop_host',
        'path: /sales',
        'type: HTTP',
      ),
    ],
    [
      'TX-8 CP-122 DESCRIBE DOMAIN;',
      lines(
        'domain: d',
        'status: stopped',
        'placement:',
        '  default policy: NEUTRAL',
        '  rule count: 0',
      ),
    ],
    ['TX-33 SHOW INGESTORS;', 'sales_in source=ENDPOINT codec=sale_codec owner=n1 status=stopped'],
  ])('%s', async (title, text) => {
    const node = await openShop();
    expect(await node.text(title.replace(/^([A-Z]+-\d+ )+/, ''))).toBe(text);
  });

  test('TX-12, TX-19: figures of a running domain', async () => {
    const node = await openShop();
    await node.run('START;');
    node.dataPlane.figures = {
      ingestors: [
        {
          name: 'sales_in',
          state: 'held',
          quiesceCauses: ['domain pause'],
          bufferedRecords: 3,
          bufferedBytes: 40,
          dropped: 5,
          rejected: 6,
          decodeErrors: 7,
          waitingRequests: 0,
        },
      ],
      emitters: [
        {
          name: 'alerts',
          status: 'WAITING',
          transientError: 'connection refused',
          reconnectWaitMs: 249.2,
          bufferedRows: 2,
        },
      ],
    };
    const ingestor = await node.text('DESCRIBE INGESTOR sales_in;');
    for (const line of [
      'status: quiesced',
      'ready: false',
      'quiesce state: domain pause',
      'nervix_ingestor_quiesce_buffered_records: 3',
      'nervix_ingestor_quiesce_buffered_bytes: 40',
      'nervix_ingestor_quiesce_dropped_total: 5',
      'nervix_ingestor_quiesce_rejected_total: 6',
      'decode errors: LOG count=7',
    ]) {
      expect(ingestor.split('\n')).toContain(line);
    }
    const emitter = (await node.text('DESCRIBE EMITTER alerts;')).split('\n');
    for (const line of [
      'status: WAITING',
      'transient error: connection refused',
      'reconnect backoff: 100ms',
      'reconnect wait: 250ms',
    ]) {
      expect(emitter).toContain(line);
    }
    expect(await node.text('SHOW INGESTORS;')).toContain('status=quiesced');
  });

  test.each([
    [[], 'none', 'inactive'],
    [['domain pause'], 'domain pause', 'inactive'],
    [['memory pressure'], 'memory pressure', 'active'],
    [['domain pause', 'memory pressure'], 'domain pause, memory pressure', 'active'],
  ] as const)('RT-80, RT-82: an ingestor held by %j', async (quiesceCauses, state, pressure) => {
    const node = await openShop();
    await node.run('START;');
    node.dataPlane.figures = {
      ingestors: [
        {
          name: 'sales_in',
          state: quiesceCauses.length === 0 ? 'running' : 'held',
          quiesceCauses,
          bufferedRecords: 0,
          bufferedBytes: 0,
          dropped: 0,
          rejected: 0,
          decodeErrors: 0,
          waitingRequests: 0,
        },
      ],
    };
    const text = (await node.text('DESCRIBE INGESTOR sales_in;')).split('\n');
    expect(text).toContain(`quiesce state: ${state}`);
    expect(text).toContain(`memory-backpressure: ${pressure}`);
  });

  test('TX-5, TX-26, TX-28, TX-29: the metrics block of a node', async () => {
    const node = await openShop();
    await node.run('START;');
    const labels = {
      domain: 'd',
      target_kind: 'DEDUPLICATOR',
      target: 'once',
      physical_node_id: 'n1',
    };
    const value = (name: string, direction: string, relay: string, total: number) => ({
      kind: 'counter' as const,
      name,
      labels: { ...labels, direction, relay },
      value: total,
    });
    node.dataPlane.figures = {
      metrics: [
        value('nervix_messages_total', 'sent', 'unique_sales', 4),
        value('nervix_messages_total', 'received', 'sales', 7),
        value('nervix_messages_total', 'received', '-', 0),
        value('nervix_bytes_total', 'received', 'sales', 700),
        {
          kind: 'histogram',
          name: 'nervix_messages_per_batch',
          labels: { ...labels, direction: 'received', relay: 'sales' },
          buckets: [{ le: Number.POSITIVE_INFINITY, count: 0 }],
          sum: 0,
          count: 0,
        },
      ],
    };
    const rates =
      'wall_rate_per_sec=- domain_rate_per_sec=- wall_rate_ema_1m_per_sec=- ' +
      'wall_rate_ema_15m_per_sec=- domain_rate_ema_1m_per_sec=- domain_rate_ema_15m_per_sec=-';
    const text = await node.text('DESCRIBE DEDUPLICATOR once;');
    const node1 = 'physical_node=n1';
    expect(text.slice(text.indexOf('metrics:'))).toBe(
      lines(
        'metrics:',
        '  incoming_edges:',
        `    messages_total received relay=- ${node1} total=0 ${rates}`,
        `    bytes_total received relay=sales ${node1} total=700 ${rates}`,
        `    messages_total received relay=sales ${node1} total=7 ${rates}`,
        '  outgoing_edges:',
        `    messages_total sent relay=unique_sales ${node1} total=4 ${rates}`,
      ),
    );
    const domain = await node.text('DESCRIBE DOMAIN;');
    expect(domain.split('\n').slice(0, 4)).toEqual([
      'domain: d',
      'status: running',
      'metrics:',
      '  processed:',
    ]);
  });

  test('TX-26: a relay prints its buffer only', async () => {
    const node = await openShop();
    await node.run('START;');
    node.dataPlane.figures = {
      metrics: [
        {
          kind: 'histogram',
          name: 'nervix_relay_buffer_len',
          labels: {
            domain: 'd',
            target_kind: 'RELAY',
            target: 'sales',
            relay: '-',
            physical_node_id: 'n1',
          },
          buckets: [{ le: Number.POSITIVE_INFINITY, count: 2 }],
          sum: 3,
          count: 2,
        },
      ],
    };
    const text = await node.text('DESCRIBE RELAY sales;');
    expect(text).toMatch(
      /metrics:\n {2}relay_buffers:\n {4}relay_buffer_len concrete relay=sales physical_node=n1 capacity=64 p50_1m=- /,
    );
    expect(text).not.toContain('messages_total');
  });
});

describe('TX-11: WHERE bindings of DESCRIBE RELAY', () => {
  test.each([
    [
      "WHERE (tenant = 'a', tenant = 'b')",
      "subscription binding 'tenant' is specified more than once",
    ],
    ["WHERE (other = 'a')", "subscription bindings for relay 'sales' must exactly match (tenant)"],
    ['WHERE (tenant = 1)', "subscription binding 'tenant' expects string literal for type STRING"],
  ])('%s', async (where, text) => {
    const node = await openShop();
    expect((await node.refuse(`DESCRIBE RELAY sales ${where};`)).message).toBe(text);
  });

  test('TX-10: a key exists or not, in a stopped domain never', async () => {
    const node = await openShop();
    const read = "DESCRIBE RELAY sales WHERE (tenant = 'a');";
    node.dataPlane.branches.push({ relay: 'sales', key: { tenant: 'a' } });
    expect(await node.text(read)).toBe('not exists');
    await node.run('START;');
    expect(await node.text(read)).toBe('exists\ncapacity: 64');
    expect(await node.text(read.replace("'a'", "'b'"))).toBe('not exists');
  });

  test('an unbranched relay takes none', async () => {
    const node = await openWithRelay();
    expect((await node.refuse("DESCRIBE RELAY r WHERE (tenant = 'a');")).message).toBe(
      "stream 'r' is not branched and does not accept WHERE bindings",
    );
  });
});

const JUNCTION =
  'CREATE JUNCTION j FROM r UNBRANCHED TO r2 INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;';

describe('SHOW', () => {
  test('TX-34: SHOW CREATE prints statements that make the same domain again', async () => {
    const node = await openShop();
    const entities = node.plane.entities('d');
    const models = entities.kind === 'found' ? entities.value.entities : [];
    expect(models).toHaveLength(SHOP_PIPELINE.length);
    const printed: string[] = [];
    for (const { kind, name } of models) {
      const text = await node.text(`SHOW CREATE ${kind.replaceAll('_', ' ')} ${name};`);
      expect(text, text).toMatch(/^CREATE [\s\S]*;$/);
      printed.push(text);
    }
    const copy = await openControlNode();
    await copy.run('CREATE DOMAIN d;');
    await copy.run(`BEGIN; ${printed.join('\n')} COMMIT;`);
    expect(new Map(copy.state.models('d'))).toEqual(new Map(node.state.models('d')));
  });

  test('CL-114: SHOW CREATE leaves secrets out unless they are asked for', async () => {
    const node = await openWithRelay();
    const client = (password: string) => `CREATE CLIENT c
  TYPE HTTP
  CONFIG {
    'endpoint' = 'http://127.0.0.1:9',
    'password' = '${password}'
  };`;
    await node.run(client('canary'));
    expect(await node.text('SHOW CREATE CLIENT c;')).toBe(client('<redacted>'));
    expect(await node.text('SHOW CREATE CLIENT c WITH SECRETS;')).toBe(client('canary'));
  });

  test('NSPL 9.2: a stored model that no text stands for is not shown, and does no harm', async () => {
    const node = await openWithRelay();
    await node.run('CREATE RELAY r2 SCHEMA s UNBRANCHED CAPACITY 8;');
    await node.run(JUNCTION);
    const model = node.state.models('d').get('junction/j');
    if (model?.kind !== 'junction') throw new Error('no junction');
    const filter = { kind: 'field', scope: null, name: 'a`b' } as const;
    await node.context.log.write({
      put: [{ kind: 'model', domain: 'd', model: { ...model, filter } }],
    });
    expect(await node.refuse('SHOW CREATE JUNCTION j;')).toMatchObject({
      code: 'INVALID_MODEL',
      message:
        "'j' cannot be shown: \"a`b\" cannot be written as a name: invalid character '`' in name",
    });
    const error = await node.refuse('START;');
    expect(error.message).toMatch(/^failed to start domain 'd'/);
    expect((await node.text('SHOW CREATE RELAY r;')).split('\n')).toHaveLength(1);
  });

  test('TX-33: SHOW INGESTORS of none', async () => {
    const node = await openWithRelay();
    expect(await node.text('SHOW INGESTORS;')).toBe('no ingestors');
  });

  test('CP-120: SHOW TRANSACTIONS', async () => {
    const node = await openWithRelay();
    expect(await node.text('SHOW TRANSACTIONS;', { domain: null })).toBe('no transactions');
    const open = await node.begin();
    await node.run('CREATE SCHEMA x (a BOOL);', { transaction: open });
    node.clock.nowMs += 60_000;
    const done = await node.begin({ user: 'bob' });
    await node.run('CREATE SCHEMA y (a BOOL);', { transaction: done, user: 'bob' });
    await node.run('COMMIT;', { transaction: done, user: 'bob' });
    node.clock.nowMs += 5_250;
    expect(await node.text('SHOW TRANSACTIONS;')).toBe(
      lines(
        `id=${open} owner=ada domain=d state=OPEN pending=1 progress=0/1 age=1m 5s idle=1m 5s`,
        `id=${done} owner=bob domain=d state=COMMITTED pending=0 progress=1/1 age=5s idle=5s`,
      ),
    );
  });

  test('CP-10: reads record nothing', async () => {
    const node = await openShop();
    const before = node.context.log.status().revision;
    const execution_reference = node.reference();
    for (const read of ['SHOW INGESTORS;', 'DESCRIBE DOMAIN;', 'DESCRIBE RELAY sales;']) {
      const outcome = await node.run(read, { execution_reference });
      expect([outcome.origin, outcome.execution_reference]).toEqual([
        'Executed',
        execution_reference,
      ]);
    }
    expect(node.context.log.status().revision).toBe(before);
  });
});

describe('documents', () => {
  test('entities are sorted and names are not case-sensitive', async () => {
    const node = await openShop();
    const found = node.plane.entities('D');
    const keys = found.kind === 'found' ? found.value.entities : [];
    const texts = keys.map(({ kind, name }) => `${kind}/${name}`);
    expect([...texts].sort()).toEqual(texts);
    expect(node.plane.entities('nowhere')).toMatchObject({
      kind: 'refused',
      error: { code: 'NOT_FOUND', message: "domain 'nowhere' does not exist" },
    });
  });

  test('the graph joins every node by the relays between them', async () => {
    const node = await openShop();
    const reply = await node.plane.graph('d');
    const graph = reply.kind === 'found' ? reply.value : undefined;
    const edges = graph?.edges.map(({ source, target, kind }) => `${source} ${kind} ${target}`);
    expect([...(edges ?? [])].sort()).toEqual([
      'deduplicator/once DATA relay/unique_sales',
      'emitter/alerts DATA client/desk',
      'ingestor/sales_in DATA relay/sales',
      'junction/big DATA relay/big_sales',
      'relay/big_sales DATA emitter/alerts',
      'relay/sales DATA deduplicator/once',
      'relay/unique_sales DATA junction/big',
      'relay/unique_sales DATA window_processor/totals',
      'window_processor/totals DATA relay/summaries',
    ]);
    const ids = new Set(graph?.nodes.map(({ id }) => id));
    for (const { source, target } of graph?.edges ?? []) {
      expect(ids.has(source) && ids.has(target), `${source} ${target}`).toBe(true);
    }
  });
});
