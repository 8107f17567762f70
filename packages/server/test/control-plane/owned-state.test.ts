import { expect, test } from 'vitest';
import { type ControlNode, openWithRelay } from '../support/control-node.ts';
import { FakeDataPlane } from '../support/fake-data-plane.ts';

/** What runs, and what the state says should: relays by domain. */
function running(node: ControlNode) {
  const runs = [...node.dataPlane.plans.keys()].map((domain) => [
    domain,
    node.dataPlane.relaysOf(domain),
  ]);
  const owned = node.state
    .domains()
    .filter(({ status }) => status === 'running')
    .map(({ name }) => [
      name,
      [...node.state.models(name).values()]
        .flatMap((model) => (model.kind === 'relay' ? [model.name] : []))
        .sort(),
    ]);
  return { runs: Object.fromEntries(runs), owned: Object.fromEntries(owned) };
}

const STEPS: readonly (readonly [statement: string, domain: string])[] = [
  ['CREATE DOMAIN e;', 'd'],
  ['CREATE SCHEMA s (id I64);', 'e'],
  ['CREATE RELAY first SCHEMA s UNBRANCHED;', 'e'],
  ['START;', 'd'],
  ['START;', 'e'],
  ['CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;', 'd'],
  ['BEGIN; CREATE RELAY a SCHEMA s UNBRANCHED; DROP RELAY r; COMMIT;', 'd'],
  ['DROP RELAY q;', 'd'],
  ['STOP;', 'e'],
  ['DROP DOMAIN e CASCADE;', 'd'],
  ['STOP;', 'd'],
];

test('CP-1: what runs is what the state says at every moment, and again after a start anew', async () => {
  let node = await openWithRelay();
  for (const [statement, domain] of STEPS) {
    await node.run(statement, { domain });
    const { runs, owned } = running(node);
    expect(runs, statement).toEqual(owned);
    node = await node.restart({ dataPlane: new FakeDataPlane() });
    const again = running(node);
    expect(again.owned, `${statement}, restarted`).toEqual(owned);
    expect(again.runs, `${statement}, restarted`).toEqual(owned);
  }
});
