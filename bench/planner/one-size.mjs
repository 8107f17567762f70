// One process, one size: prints the milliseconds of processor time that planning one ALTER, 256
// statements and the preview of those again take (medians), and the most memory the process ever held.
// Arguments: entities, rounds.
import { planTransaction } from '@nervix/planner';
import { alteration, generatedShop } from './generated-shop.mjs';

const [entities, rounds] = process.argv.slice(2).map(Number);
const snapshot = generatedShop(entities);
const chains = Math.floor((entities - 1) / 5);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function timed(statements) {
  const startedAt = cpuMs();
  const plan = planTransaction(snapshot, statements);
  const ms = cpuMs() - startedAt;
  if (plan.kind === 'refused') throw new Error(plan.refusals[0].message);
  return ms;
}

const many = Array.from({ length: 256 }, (_, index) => alteration(index % chains));
timed([alteration(0)]);
const one = Array.from({ length: rounds * 4 }, (_, turn) => timed([alteration(turn % chains)]));
const first = timed(many);
const again = Array.from({ length: rounds }, () => timed(many));
const megabytes = (process.resourceUsage().maxRSS * 1_024) / 1e6;
console.log(JSON.stringify({ one: median(one), many: first, again: median(again), megabytes }));
