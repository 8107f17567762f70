import type { EndpointModel, EndpointPlan, VhostModel } from '@nervix/model';
import type { PlanningContext } from './planning-context.js';

const HOSTNAME = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/;

/** Checks the hostnames of a virtual host, in itself and against the domain's others. */
export function checkVhost(context: PlanningContext, model: VhostModel): void {
  const report = context.reporter(model);
  const defect = hostnameDefect(context, model);
  if (defect !== undefined) report.invalid(defect);
}

function hostnameDefect(context: PlanningContext, model: VhostModel): string | undefined {
  if (model.hostnames.length === 0) return 'VHOST requires at least one hostname';
  const own = new Set<string>();
  for (const written of model.hostnames) {
    const hostname = written.toLowerCase();
    if (!HOSTNAME.test(hostname)) return `invalid hostname '${written}'`;
    if (own.has(hostname)) return `hostname '${hostname}' is listed more than once`;
    own.add(hostname);
  }
  for (const hostname of own) {
    const holder = context.hostnameHolder(hostname);
    if (holder === undefined || holder.name === model.name) continue;
    return `hostname '${hostname}' is already assigned to vhost '${holder.name}'`;
  }
  return undefined;
}

/** Checks an endpoint's path and type, and that nothing else has its path. */
export function planEndpoint(
  context: PlanningContext,
  model: EndpointModel,
): EndpointPlan | undefined {
  const report = context.reporter(model);
  const { name, path, vhost } = model;
  if (!path.startsWith('/')) {
    report.invalid(`invalid endpoint path '${path}': must start with '/'`);
    return undefined;
  }
  const holder = context.pathHolder(model);
  if (holder !== undefined && holder.name !== name) {
    const owner = `endpoint '${holder.name}' on vhost '${vhost}'`;
    report.invalid(`path '${path}' is already assigned to ${owner}`);
    return undefined;
  }
  if (model.type !== 'HTTP') {
    report.unsupported(`endpoint TYPE ${model.type} is`);
    return undefined;
  }
  if (model.signaling !== null) {
    report.unsupported('SIGNALING PROTOCOL is');
    return undefined;
  }
  const { hostnames = [], tls = null } = context.find('vhost', vhost) ?? {};
  return {
    name,
    vhost,
    hostnames: hostnames.map((hostname) => hostname.toLowerCase()),
    path,
    type: 'HTTP',
    ...(tls === null ? {} : { isSecure: true }),
  };
}
