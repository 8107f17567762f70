// What placement costs at the upper design point: 10,000 graph nodes, 1,000 rules, 300 cluster
// nodes. A whole plan in a process of its own, its memory, its growth from a tenth of the size, and
// planning again after one rule changed.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { generatedDomain } from './generated-domain.mjs';
import { Planner } from './plan.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const NODES = Number(process.env.BENCH_GRAPH_NODES ?? 10_000);
const RULES = NODES / 10;
const CLUSTER_NODES = 300;
const SHAPES = ['layered', 'chain', 'star'];
/** Rules that are changed, one at a time. */
const CHANGES = 20 * rounds;

const sorted = (values) => [...values].sort((left, right) => left - right);
const share = (values, part) => sorted(values)[Math.floor((values.length - 1) * part)];
const median = (values) => share(values, 0.5);

function inOwnProcess(shape, scale, mode = 'plan') {
  const script = path.join(import.meta.dirname, 'one-plan.mjs');
  const args = [shape, NODES / scale, RULES / scale, CLUSTER_NODES, mode].map(String);
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
  const domain = generatedDomain({ shape, nodes: NODES, rules: RULES });
  const planner = new Planner(domain, CLUSTER_NODES);
  const timed = (rules) => {
    const startedAt = performance.now();
    planner.plan(rules);
    return performance.now() - startedAt;
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

const figures = [];
for (const shape of SHAPES) {
  const whole = repeated(() => inOwnProcess(shape, 1));
  const tenth = repeated(() => inOwnProcess(shape, 10));
  const idle = repeated(() => inOwnProcess(shape, 1, 'idle'));
  const [ms, tenthMs] = [whole, tenth].map((runs) => runs.map((run) => run.ms));
  const [memory, idleMemory] = [whole, idle].map((runs) => runs.map((run) => run.megabytes));
  const { unchanged, changed } = ruleChanges(shape);
  figures.push(
    figure({ bench: `scheduler.plan.${shape}`, unit: 'ms', goal: 2_000, digits: 1 }, ms, {
      name: 'a tenth of the domain',
      value: median(tenthMs),
    }),
    figure({ bench: `scheduler.peak-memory.${shape}`, unit: 'MB', goal: 256 }, memory, {
      name: 'the process without a plan',
      value: median(idleMemory),
    }),
    figure(
      { bench: `scheduler.changed-rule.${shape}`, unit: 'ms', goal: 100, digits: 1 },
      changed,
      {
        name: 'nothing changed',
        value: median(unchanged),
      },
    ),
    figure(
      { bench: `scheduler.changed-rule-p90.${shape}`, unit: 'ms', goal: 100, digits: 1 },
      changed,
      {
        name: 'nothing changed',
        value: median(unchanged),
        pick: (values) => share(values, 0.9),
      },
    ),
  );
}
for (const line of figures) console.log(JSON.stringify(line));
