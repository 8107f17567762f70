// One process, one plan: prints its milliseconds and the most memory the process ever held, in MB.
// Arguments: shape, nodes, rules, cluster nodes, and `idle` to generate the domain without a plan.
import { generatedDomain } from './generated-domain.mjs';
import { Planner } from './plan.mjs';

const [shape, nodes, rules, clusterNodes, mode] = process.argv.slice(2);
const domain = generatedDomain({ shape, nodes: Number(nodes), rules: Number(rules) });
const startedAt = performance.now();
if (mode !== 'idle') new Planner(domain, Number(clusterNodes)).plan(domain.rules);
const ms = performance.now() - startedAt;
// Kilobytes of 1,024 bytes, as the system counts them.
const megabytes = (process.resourceUsage().maxRSS * 1_024) / 1e6;
console.log(JSON.stringify({ ms, megabytes }));
