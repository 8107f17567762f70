// One process, one plan: prints the milliseconds it spent on a processor, the longest step of them, and
// the most memory the process ever held, in MB. Arguments: shape, graph nodes, rules, cluster nodes,
// and `idle` to generate the domain without a plan or `steps` to time each step.
import { generatedDomain } from './generated-domain.mjs';
import { cpuMs, Planner } from './plan.mjs';

const [shape, nodes, rules, clusterNodes, mode] = process.argv.slice(2);
const domain = generatedDomain({ shape, nodes: Number(nodes), rules: Number(rules) });
const planner = new Planner(domain, Number(clusterNodes));
const startedAt = cpuMs();
let longest = 0;
if (mode === 'steps') longest = planner.longestStep(domain.rules);
else if (mode !== 'idle') planner.plan(domain.rules);
const ms = cpuMs() - startedAt;
// Kilobytes of 1,024 bytes, as the system counts them.
const megabytes = (process.resourceUsage().maxRSS * 1_024) / 1e6;
console.log(JSON.stringify({ ms, longest, megabytes }));
