import { parseScript } from '@nervix/nspl-parser';
import { expect, test } from 'vitest';
import { alteredLabel } from '../../src/control-plane/planning/supported-statement.ts';
import { openControlNode } from '../support/control-node.ts';
import { SHOP_PIPELINE } from '../support/shop-pipeline.ts';

const EXTRA = [
  'CREATE WIRE CBOR SCHEMA sale_cbor MODE STRICT (id INTEGER);',
  'CREATE WIRE AVRO SCHEMA sale_avro MODE STRICT (id LONG);',
  'CREATE PLACEMENT near FROM sales TO big_sales PREFER COLOCATION RANK 1;',
];

test.each<[statement: string, words: string]>([
  ['ALTER SCHEMA tenant_key ALTER FIELD tenant SET SENSITIVE', "schema 'tenant_key'"],
  ['ALTER WIRE CBOR SCHEMA sale_cbor ADD FIELD x STRING', "CBOR wire schema 'sale_cbor'"],
  ['ALTER WIRE AVRO SCHEMA sale_avro ADD FIELD x STRING', "AVRO wire schema 'sale_avro'"],
  ['ALTER WIRE JSON SCHEMA sale_json MODE LOOSE', "JSON wire schema 'sale_json'"],
  ['ALTER RELAY sales SET CAPACITY 128', "relay 'sales'"],
  ['ALTER JUNCTION big ALTER FROM unique_sales DROP WHERE', "junction 'big'"],
  ['ALTER DEDUPLICATOR once SET MAX TIME 5m', "deduplicator 'once'"],
  ['ALTER EMITTER alerts SET FLUSH EACH 1s MAX BATCH SIZE 1MiB', "emitter 'alerts'"],
  ['ALTER INGESTOR sales_in SET TIMESTAMP AT at', "ingestor 'sales_in'"],
  ['ALTER PLACEMENT near SET RANK 2', "placement 'near'"],
])('T-5, TX-38: %s tells what it altered and what that took', async (statement, words) => {
  const node = await openControlNode();
  await node.run('CREATE DOMAIN d;');
  await node.run(`BEGIN; ${[...SHOP_PIPELINE, ...EXTRA].join(' ')} COMMIT;`);
  const before = [...node.state.models('d').values()];
  expect(await node.text(`${statement};`)).toBe(
    `altered ${words} in domain 'd'; quiesce level: DYNAMIC; planned relocations: 0`,
  );
  const changed = [...node.state.models('d').values()].filter((model) => !before.includes(model));
  expect(changed.map(({ name }) => name)).toEqual([words.slice(words.indexOf("'") + 1, -1)]);
});

test.each([
  ['ALTER REORDERER m SET MAX TIME 2s', 'reorderer'],
  ['ALTER REINGESTOR m SET DETACHED', 'reingestor'],
  ['ALTER GENERATOR m SET EACH 2s', 'generator'],
])(
  'T-5: %s has its label, though nothing is there to alter: this release creates none',
  async (text, label) => {
    const [parsed] = parseScript(text).statements;
    if (parsed?.statement.kind !== 'alter_model') throw new Error(`${text} alters no model`);
    expect(alteredLabel(parsed.statement)).toBe(label);
    const node = await openControlNode();
    await node.run('CREATE DOMAIN d;');
    expect((await node.refuse(`${text};`)).message).toContain("'m'");
  },
);
