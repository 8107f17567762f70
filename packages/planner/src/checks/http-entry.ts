import {
  type EndpointModel,
  type EndpointPlan,
  type Model,
  modelKey,
  type VhostModel,
} from '@nervix/model';
import { sortedModels } from '../domain-models.js';
import type { PlanningContext } from './planning-context.js';

const HOSTNAME = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/;

/** Checks the hostnames of a virtual host, in itself and against the domain's others. */
export function checkVhost(context: PlanningContext, model: VhostModel): void {
  const report = context.reporter(model);
  const defect = hostnameDefect(context, model);
  if (defect !== undefined) report.invalid(defect);
  else if (model.tls !== null) report.unsupported('VHOST WITH TLS is', model.tls);
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
  for (const other of rivals(context, model)) {
    const taken = other.hostnames.map((name) => name.toLowerCase()).find((name) => own.has(name));
    if (taken === undefined) continue;
    return `hostname '${taken}' is already assigned to vhost '${other.name}'`;
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
  const rival = rivals(context, model).find(
    (other) => other.vhost === vhost && other.path === path,
  );
  if (rival !== undefined) {
    const owner = `endpoint '${rival.name}' on vhost '${vhost}'`;
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
  const hostnames = context.find('vhost', vhost)?.hostnames ?? [];
  return {
    name,
    vhost,
    hostnames: hostnames.map((hostname) => hostname.toLowerCase()),
    path,
    type: 'HTTP',
  };
}

/**
 * Models of the same kind that win a collision against this one: those the batch left alone win
 * against those it touched, and else the smaller name wins.
 */
function rivals<Rival extends VhostModel | EndpointModel>(
  context: PlanningContext,
  model: Rival,
): readonly Rival[] {
  const isTouched = (other: Rival) => context.touched.has(modelKey(other.kind, other.name));
  const isRival = (other: Model): other is Rival => other.kind === model.kind;
  return sortedModels(context.models)
    .filter(isRival)
    .filter((other) => {
      if (other.name === model.name) return false;
      if (isTouched(other) !== isTouched(model)) return isTouched(model);
      return other.name < model.name;
    });
}
