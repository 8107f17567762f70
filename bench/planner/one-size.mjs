// One process, one size: prints the milliseconds of processor time that these take: a first ALTER in a
// domain that was never seen, one ALTER after the other, each planned from what the one before leaves,
// the same of ALTERs that let records flow otherwise, 256 statements, and the preview of those again
// (medians where there are several); and the most memory the process ever held, the domain included.
// Arguments: entities, rounds.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ModelRegistry, planTransaction } from '@nervix/planner';
import { alteration, rewiring } from './generated-shop.mjs';

const [entities, rounds] = process.argv.slice(2).map(Number);
const chains = Math.floor((entities - 1) / 5);
const options = { registry: new ModelRegistry() };
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

let snapshot = printedShop();

function printedShop() {
  const script = path.join(import.meta.dirname, 'print-shop.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, String(entities)], {
    maxBuffer: 2 ** 30,
  });
  if (stdout.length === 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}

function timed(statements) {
  const startedAt = cpuMs();
  const plan = planTransaction(snapshot, statements, options);
  const ms = cpuMs() - startedAt;
  if (plan.kind === 'refused') throw new Error(plan.refusals[0].message);
  return { ms, plan };
}

/** Plans one statement after the other as if each was committed. */
function committed(statements) {
  return statements.map((statement) => {
    const { ms, plan } = timed([statement]);
    snapshot = plan.after;
    return ms;
  });
}

const turns = Array.from({ length: rounds * 4 }, (_, turn) => turn);
const first = timed([alteration(1)]).ms;
const one = median(committed(turns.map((turn) => alteration(turn % chains, turn))));
const rewired = median(committed(turns.map((turn) => rewiring(turn, chains))));
const statements = Array.from({ length: 256 }, (_, index) => alteration(index % chains, 1_000));
const many = timed(statements).ms;
const again = median(Array.from({ length: rounds }, () => timed(statements).ms));
const megabytes = (process.resourceUsage().maxRSS * 1_024) / 1e6;
console.log(JSON.stringify({ first, one, rewired, many, again, megabytes }));
