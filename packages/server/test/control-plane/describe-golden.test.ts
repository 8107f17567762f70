import path from 'node:path';
import type { MetricSample } from '@nervix/runtime/data-plane';
import { describe, expect, test } from 'vitest';
import { type ControlNode, openControlNode } from '../support/control-node.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { SHOP_PIPELINE } from '../support/shop-pipeline.ts';
import { identityOf } from '../support/users.ts';

/** Every kind that has a DESCRIBE, and the subject of it in both domains. */
const SUBJECTS: readonly (readonly [kind: string, statement: string])[] = [
  ['domain', 'DESCRIBE DOMAIN;'],
  ['relay', 'DESCRIBE RELAY sales;'],
  ['relay-key', "DESCRIBE RELAY sales WHERE (tenant = 'a');"],
  ['ingestor', 'DESCRIBE INGESTOR sales_in;'],
  ['junction', 'DESCRIBE JUNCTION big;'],
  ['deduplicator', 'DESCRIBE DEDUPLICATOR once;'],
  ['window-processor', 'DESCRIBE WINDOW PROCESSOR totals;'],
  ['emitter', 'DESCRIBE EMITTER alerts;'],
  ['endpoint', 'DESCRIBE ENDPOINT sales_endpoint;'],
  ['udf', 'DESCRIBE UDF twice;'],
  ['placement', 'DESCRIBE PLACEMENT near;'],
  ['resource', 'DESCRIBE RESOURCE files;'],
];

const RULE = 'CREATE PLACEMENT near FROM once TO big REQUIRE COLOCATION RANK 3;';
const LOOSE_RULE = 'CREATE PLACEMENT near FROM once TO big NEUTRAL;';
const UDF =
  'CREATE UDF twice WITH ECMASCRIPT_2023 ARGS (x I64 OPTIONAL, y I64) RETURNS I64 OPTIONAL ' +
  'VOLATILE CODE $$function twice(x, y) { return y; }$$;';
const LONE_UDF =
  'CREATE UDF twice WITH ECMASCRIPT_2023 ARGS (x I64) RETURNS I64 ' +
  'CODE $$function twice(x) { return x * 2n; }$$;';

/** What the junction goes on with where it filters and calls a function. */
const CALLING =
  'FILTER WHERE input.id > 0 AS I64\n    BRANCHED BY by_tenant\n' +
  '    TO big_sales INHERIT ALL SET id = coalesce(udf::twice(input.id, 1 AS I64), 0 AS I64)';

/** The pipeline with every optional part that its kinds have in this release. */
const FULL = SHOP_PIPELINE.map((statement) =>
  statement
    .replace('BRANCHED BY by_tenant\n    TO big_sales INHERIT ALL', CALLING)
    .replace('DEDUPLICATE ON', 'FILTER WHERE input.id > 0 AS I64\n    DEDUPLICATE ON')
    .replace('WIDTH 100', 'FILTER WHERE input.id > 0 AS I64\n    WIDTH 100'),
);

/** The pipeline without anything that may be left out. */
const BARE = SHOP_PIPELINE.filter(
  (statement) => !/CREATE (SCHEMA tenant_key|BRANCH)/.test(statement),
).map((statement) =>
  statement
    .replaceAll(/BRANCHED BY by_tenant( SET tenant = input.tenant)?/g, 'UNBRANCHED')
    .replace(' WHERE input.amount >= 100.0 AS F64', '')
    .replace(/\s+TIMESTAMP NOW/, '')
    .replace(/SET sales = [^;]* ON MESSAGE/s, 'SET sales = COUNT(input.id) ON MESSAGE')
    .replace('(sales I64, first F64, last F64, low F64, high F64, mean F64)', '(sales I64)'),
);

const KINDS = {
  INGESTOR: 'sales_in',
  DEDUPLICATOR: 'once',
  JUNCTION: 'big',
  WINDOW_PROCESSOR: 'totals',
  EMITTER: 'alerts',
} as const;

/** Counters and histograms of every node, as a running graph has them. */
function samples(): readonly MetricSample[] {
  const ofNode = Object.entries(KINDS).flatMap(([target_kind, target]): MetricSample[] =>
    ['received', 'sent'].flatMap((direction) => {
      const place = { domain: 'd', target_kind, target, physical_node_id: 'n1', direction };
      const labels = { ...place, relay: 'sales' };
      return [
        { kind: 'counter', name: 'nervix_messages_total', labels, value: 7 },
        { kind: 'counter', name: 'nervix_batches_total', labels, value: 3 },
        { kind: 'counter', name: 'nervix_bytes_total', labels, value: 90 },
        histogram('nervix_messages_per_batch', labels),
        histogram('nervix_delivery_latency_seconds', labels),
      ];
    }),
  );
  const relay = { domain: 'd', target_kind: 'RELAY', target: 'sales', physical_node_id: 'n1' };
  return [...ofNode, histogram('nervix_relay_buffer_len', relay)];
}

function histogram(name: string, labels: Readonly<Record<string, string>>): MetricSample {
  const buckets = [{ le: Number.POSITIVE_INFINITY, count: 2 }];
  return { kind: 'histogram', name, labels, buckets, sum: 4, count: 2 };
}

async function openFull(): Promise<ControlNode> {
  const directory = path.join(await temporaryFolder(), 'resources');
  const node = await openControlNode({ resources: { directory } });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE RESOURCE files;');
  const bytes = tarBytes([{ path: 'deep/ca.pem', content: 'ca' }]);
  const upload = { owner: identityOf('ada'), domain: 'd', resource: 'files', identity: 'a' };
  await node.plane.upload({ ...upload, body: inPieces(bytes, 512), bytes: bytes.length });
  await node.run(`BEGIN; ${UDF} ${FULL.join('\n')} ${RULE} COMMIT;`);
  await node.run('START;');
  node.dataPlane.branches.push({ relay: 'sales', key: { tenant: 'a' } });
  node.dataPlane.figures = {
    ingestors: [
      {
        name: 'sales_in',
        state: 'held',
        quiesceCauses: ['domain pause', 'memory pressure'],
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
    metrics: samples(),
  };
  return node;
}

async function openBare(): Promise<ControlNode> {
  const node = await openControlNode();
  node.members = [];
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE RESOURCE files;');
  await node.run(`BEGIN; ${LONE_UDF} ${BARE.join('\n')} ${LOOSE_RULE} COMMIT;`);
  return node;
}

/** Figures and checksums by what they are. */
function masked(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HEX')
    .replaceAll(/\b(total|capacity|(?:domain_|wall_)?(?:rate|p\d+)\w*)=[\d.-]+/g, '$1=N');
}

test('TX-60: the graph tells of an emitter what its description does', async () => {
  const node = await openFull();
  const lines = (await node.text('DESCRIBE EMITTER alerts;')).split('\n');
  const graph = await node.plane.graph('d');
  if (graph.kind !== 'found') throw new Error('the domain has no graph');
  const told = graph.value.nodes.find(({ id }) => id === 'emitter/alerts');
  expect(lines).toContain(`status: ${told?.status}`);
  expect(lines).toContain(`detail: ${told?.status_detail}`);
  expect(told?.status_detail).toBe('connection refused; reconnect backoff: 100ms');
});

describe.each([
  ['all optional lines', openFull, 'full'],
  ['none of them', openBare, 'bare'],
] as const)('TX-62: DESCRIBE with %s', (_title, open, name) => {
  test.each(SUBJECTS)('of a %s', async (kind, statement) => {
    // Only a branched relay has keys: of those none exists in a stopped domain.
    const isKey = kind === 'relay-key';
    const node = isKey ? await openFull() : await open();
    if (isKey && name === 'bare') await node.run('STOP;');
    const text = masked(await node.text(statement));
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/describe/${kind}.${name}.script.txt`);
  });
});
