import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type DomainDefinition,
  type PlacementReport,
  placementReport,
  resolveDomain,
} from '@nervix/scheduler';
import { NodeClient, renderedInChromium, startNervixd } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runBuilt } from '../support/built-nervix.js';
import { probedPage } from '../support/placement-page.js';

const HOSTILE = '</script><img src=x onerror=alert(1)>';
const LAYERS = 10;

/** A layered graph with rules over it, on nodes of which one is cordoned. */
function reportOf(size: number): PlacementReport {
  const members: DomainDefinition['members'][number][] = Array.from({ length: size }, (_, id) => ({
    kind: id % 2 === 0 ? 'relay' : 'junction',
    name: id === 0 ? HOSTILE : `unit_${id}`,
  }));
  members.push({ kind: 'ingestor', name: 'listener', runs: 'every_node' });
  const width = Math.ceil(size / LAYERS);
  const at = (id: number) => members[id] ?? { kind: '', name: '' };
  const edges = Array.from({ length: Math.max(0, size - width) }, (_, id) => ({
    from: at(id),
    to: at(id + width),
  }));
  const outcome = resolveDomain({
    domain: HOSTILE,
    members,
    edges,
    rules: [
      {
        name: 'together',
        from: [at(0)],
        to: [at(2 * width)],
        policy: 'REQUIRE COLOCATION',
      },
    ],
  });
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  const { placement, traits } = outcome;
  const nodes = ['n1', 'n2', 'n3', HOSTILE].map((name) => ({
    name,
    isLive: true,
    isCordoned: name === HOSTILE,
    isTerminating: false,
  }));
  const input = { placement, traits, nodes, replicaCount: 0, previous: [] };
  return placementReport(input, { inputs: { domain: '7' } });
}

function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-placement-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('the page', () => {
  test('OP-36 it draws a small graph open, and a unit shows owner, scores and rejected nodes', async () => {
    const found = await probedPage(
      reportOf(10),
      `const before = { boxes: count('#graph .box'), edges: count('#graph .edge'),
         nodes: text('#nodes'), title: text('#title'), rules: text('#rules td') };
       click('#graph .box.group');
       return { ...before, selected: count('#graph .box.selected'), details: text('#details'),
         tables: count('#details table'), images: count('img') };`,
    );
    expect(found).toMatchObject({
      boxes: 11,
      edges: 9,
      title: `Placement of domain '${HOSTILE}'`,
      rules: 'together',
      selected: 3,
      tables: 3,
      images: 0,
    });
    expect(found['nodes']).toContain(`${HOSTILE}: 0 (cordoned)`);
    for (const words of [
      'group of 3: ',
      `relay ${HOSTILE}`,
      'ranked by score/1',
      'softstickinesslocalityloadround_robin',
      '✓',
      `${HOSTILE}not_cordonedfailcordoned`,
      '(together)',
    ]) {
      expect(found['details']).toContain(words);
    }
  });

  test('it gathers a large graph by owner; boxes open, and a search finds one of a thousand', async () => {
    const found = await probedPage(
      reportOf(1000),
      `const gathered = count('#graph .box');
       click('#graph .box.group');
       const opened = count('#graph .box');
       const folds = document.querySelectorAll('#units details:not([open])').length;
       type('#search', 'junction unit_777');
       const search = { found: text('#found'), lines: count('#units button'),
         bright: count('#graph .box:not(.faded)') };
       click('#units button');
       one('#gather').checked = false;
       one('#gather').dispatchEvent(new Event('change'));
       const all = count('#graph .box');
       one('#only-connected').checked = true;
       one('#only-connected').dispatchEvent(new Event('change'));
       return { gathered, opened, folds, ...search, all, connected: count('#graph .box'),
         details: text('#details h2'), owner: text('#units summary') };`,
    );
    expect(found['gathered']).toBeLessThan(60);
    expect(found['opened']).toBeGreaterThan(found['gathered'] as number);
    expect(found).toMatchObject({
      folds: 3,
      found: '1 of 998 unit(s)',
      lines: 1,
      bright: 1,
      all: 999,
      connected: LAYERS,
      details: 'junction unit_777',
    });
  });

  test('its policy lets nothing run or load but its own script and style', async () => {
    const report = reportOf(10);
    const found = await probedPage(
      report,
      `const blocked = [];
       const made = document.createElement('script');
       made.textContent = 'globalThis.wasRun = true;';
       document.body.append(made);
       try { new Function('globalThis.wasRun = true')(); } catch { blocked.push('eval'); }
       return { blocked, wasRun: globalThis.wasRun === true,
         outside: count('link, iframe, [src], [href]') };`,
    );
    expect(found).toEqual({ blocked: ['eval'], wasRun: false, outside: 0 });
  });
});

describe('nervix placement', () => {
  const nodes = { nodes: ['n1', { name: 'n2', cordoned: true }] };
  const graph = {
    domain: 'shop',
    graph: { nodes: ['relay a', 'junction b'], edges: [['a', 'b']] },
  };

  test('it writes the page and the report of files without a server', async () => {
    const folder = scratchFolder();
    const paths = { graph, nodes, rules: { rules: [] } };
    const inputs = Object.entries(paths).map(([name, content]) => {
      const file = path.join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(content));
      return file;
    });
    const page = path.join(folder, 'out.html');
    const args = ['placement', '--html', page, '--json', '--input', ...inputs];
    const { code, stdout } = await runBuilt(args);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        domain: 'shop',
        graphNodes: [
          { name: 'b', nodes: ['n1'] },
          { name: 'a', nodes: ['n1'] },
        ],
      },
    ]);
    const rendered = await renderedInChromium(readFileSync(page, 'utf8'));
    expect(rendered).toContain('2 graph nodes, 2 units, 2 cluster nodes, 0 rules');
    expect(rendered.match(/class="box /g)).toHaveLength(2);
    const piped = await runBuilt(['placement', '--html', '-', '--input', ...inputs]);
    expect(piped).toEqual({ code: 0, stdout: readFileSync(page, 'utf8') });
  });

  test.each([
    ['without a form', [], 2],
    ['with two results for one stream', ['--json', '--html', '-'], 2],
    ['of a file that is not there', ['--json', '--input', '/nowhere/x.json'], 5],
    ['into a folder that is not there', ['--html', '/nowhere/x.html'], 5],
  ])('it is refused %s', async (_, args, code) => {
    const file = path.join(scratchFolder(), 'all.json');
    writeFileSync(file, JSON.stringify({ ...graph, ...nodes }));
    const inputs = args.includes('--input') ? [] : ['--input', file];
    expect((await runBuilt(['placement', ...args, ...inputs])).code).toBe(code);
  });

  test('PS-1, OP-36 it shows a domain of a running node', async () => {
    const password = 'scratch-password';
    const node = await startNervixd({
      dbPath: scratchFolder(),
      env: { NERVIX_INIT_DEFAULT_USER_PASSWORD: password, NERVIX_LOG: 'warn' },
    });
    const client = new NodeClient(node, password);
    onTestFinished(async () => {
      client.close();
      await node.kill9();
    });
    await client.deploy('shop', [
      'CREATE SCHEMA s (id I64);',
      ...['a', 'b'].map((name) => `CREATE RELAY ${name} SCHEMA s UNBRANCHED CAPACITY 8;`),
      'CREATE JUNCTION j FROM a UNBRANCHED TO b INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;',
      'CREATE PLACEMENT near FROM a TO b REQUIRE COLOCATION;',
    ]);
    const page = path.join(scratchFolder(), 'out.html');
    const { session } = node.addresses;
    const flags = ['--server', session, '--password', password];
    const shop = [...flags, '--domain', 'shop'];
    const { code, stdout } = await runBuilt([...shop, 'placement', '--json', '--html', page]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { domain: 'shop', units: [{ chosen: 'node-1', cause: 'kept' }], rejections: [[]] },
    ]);
    const rendered = await renderedInChromium(readFileSync(page, 'utf8'));
    expect(rendered).toContain("Placement of domain 'shop'");
    expect(rendered).toContain('3 graph nodes, 1 units, 1 cluster nodes, 1 rules');
    const absent = await runBuilt([...flags, '--domain', 'gone', 'placement', '--json']);
    expect(absent).toEqual({ code: 1, stdout: '' });
  });
});
