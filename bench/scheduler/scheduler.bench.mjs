// What placement costs, from 100 to 10,000 graph nodes under 10 to 1,000 rules on 3 to 300 cluster
// nodes: whole plans in processes of their own with their memory and their longest step, how the cost
// grows, and planning again after one rule changed. All times are processor time: other work on the
// machine does not count, though it still slows what shares a core with it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { generatedDomain } from './generated-domain.mjs';
import { cpuMs, Planner } from './plan.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const NODES = Number(process.env.BENCH_GRAPH_NODES ?? 10_000);
const SHAPES = ['layered', 'cyclic', 'dense', 'chain', 'star'];
/** Rules that are changed, one at a time. */
const CHANGES = 20 * rounds;

const sorted = (values) => [...values].sort((left, right) => left - right);
const share = (values, part) => sorted(values)[Math.floor((values.length - 1) * part)];
const median = (values) => share(values, 0.5);

/** A plan of `NODES / scale` graph nodes, a tenth as many rules, and cluster nodes. */
function inOwnProcess(shape, scale, mode = 'plan') {
  const script = path.join(import.meta.dirname, 'one-plan.mjs');
  const sizes = [NODES / scale, NODES / scale / 10, (3 * NODES) / scale / 100];
  const args = [shape, ...sizes, mode].map(String);
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...args]);
  const text = String(stdout);
  if (text === '') throw new Error(`${shape}: ${stderr}`);
  return JSON.parse(text);
}

function repeated(measure) {
  return Array.from({ length: rounds }, measure);
}

/** A rule with another rank and policy, or with the beginning of its neighbour. */
function changedRules(rules, turn) {
  const at = (turn * 37) % rules.length;
  const neighbour = rules[(at + 1) % rules.length];
  return rules.map((rule, index) => {
    if (index !== at) return rule;
    if (turn % 2 === 0) return { ...rule, from: neighbour.from };
    return { ...rule, policy: 'PREFER COLOCATION', rank: rule.rank === null ? '5' : null };
  });
}

function ruleChanges(shape) {
  const domain = generatedDomain({ shape, nodes: NODES, rules: NODES / 10 });
  const planner = new Planner(domain, (3 * NODES) / 100);
  const timed = (rules) => {
    const startedAt = cpuMs();
    planner.plan(rules);
    return cpuMs() - startedAt;
  };
  timed(domain.rules);
  const unchanged = repeated(() => timed(domain.rules));
  const changed = Array.from({ length: CHANGES }, (_, turn) => {
    const ms = timed(changedRules(domain.rules, turn));
    planner.plan(domain.rules);
    return ms;
  });
  return { unchanged, changed };
}

function figure({ bench, unit, goal, digits = 0 }, values, peer) {
  const round = (number) => Number(number.toFixed(digits));
  const range = `${round(Math.min(...values))}..${round(Math.max(...values))}`;
  console.log(
    `${bench}: ${range} ${unit} in ${values.length} runs; ${peer.name} ${round(peer.value)}`,
  );
  const value = round(peer.pick?.(values) ?? median(values));
  const peerValue = round(peer.value);
  const ratio = Number((value / peerValue).toFixed(3));
  const facts = { peer: peer.name, peer_value: peerValue, ratio };
  return { bench, value, unit, ...facts, goal, holds: value <= goal };
}

/** How often as long ten times as much may take by n log n. */
function growthGoal() {
  return Number(((10 * Math.log(NODES)) / Math.log(NODES / 10)).toFixed(1));
}

function wholePlans(shape) {
  const [whole, tenth, hundredth] = [1, 10, 100].map((scale) =>
    repeated(() => inOwnProcess(shape, scale)),
  );
  const idle = repeated(() => inOwnProcess(shape, 1, 'idle'));
  const steps = repeated(() => inOwnProcess(shape, 1, 'steps'));
  const ms = (runs) => runs.map((run) => run.ms);
  const memory = (runs) => runs.map((run) => run.megabytes);
  const smaller = median(ms(tenth));
  console.log(`${shape}: a hundredth of the domain takes ${median(ms(hundredth)).toFixed(1)} ms`);
  return [
    figure({ bench: `scheduler.plan.${shape}`, unit: 'ms', goal: 2_000, digits: 1 }, ms(whole), {
      name: 'a tenth of the domain',
      value: smaller,
    }),
    figure(
      { bench: `scheduler.growth.${shape}`, unit: 'times', goal: growthGoal(), digits: 1 },
      ms(whole).map((value) => value / smaller),
      { name: 'n log n', value: growthGoal() },
    ),
    figure({ bench: `scheduler.peak-memory.${shape}`, unit: 'MB', goal: 256 }, memory(whole), {
      name: 'the process without a plan',
      value: median(memory(idle)),
    }),
    figure(
      { bench: `scheduler.longest-step.${shape}`, unit: 'ms', goal: 20, digits: 1 },
      steps.map(({ longest }) => longest),
      { name: 'the whole plan', value: median(ms(steps)) },
    ),
  ];
}

function changes(shape) {
  const { unchanged, changed } = ruleChanges(shape);
  const peer = { name: 'nothing changed', value: median(unchanged) };
  return [
    ['changed-rule', 0.5],
    ['changed-rule-p90', 0.9],
    ['changed-rule-slowest', 1],
  ].map(([name, part]) =>
    figure({ bench: `scheduler.${name}.${shape}`, unit: 'ms', goal: 100, digits: 1 }, changed, {
      ...peer,
      pick: (values) => share(values, part),
    }),
  );
}

const figures = SHAPES.flatMap((shape) => [...wholePlans(shape), ...changes(shape)]);
for (const line of figures) console.log(JSON.stringify(line));
