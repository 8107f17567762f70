import { type EndpointModel, type Model, modelKey, type VhostModel } from '@nervix/model';
import { type DomainModels, modelsOfKind } from '../domain-models.js';

/**
 * Who holds each hostname and each path of a domain. Of several models that claim the same one,
 * those a batch left alone win against those it touched, and else the smaller name wins.
 */
export interface HttpClaims {
  /** By lower-case hostname. */
  readonly hostnames: ReadonlyMap<string, VhostModel>;
  /** By {@link pathClaim}. */
  readonly paths: ReadonlyMap<string, EndpointModel>;
}

/** What an endpoint claims: its path on its virtual host. */
export function pathClaim({ vhost, path }: EndpointModel): string {
  return `${vhost} ${path}`;
}

/** @param touched keys of the models a batch created or changed */
export function httpClaims(models: DomainModels, touched: ReadonlySet<string>): HttpClaims {
  const hostnames = new Map<string, VhostModel>();
  for (const vhost of untouchedFirst(modelsOfKind(models, 'vhost'), touched)) {
    for (const written of vhost.hostnames) {
      const hostname = written.toLowerCase();
      if (!hostnames.has(hostname)) hostnames.set(hostname, vhost);
    }
  }
  const paths = new Map<string, EndpointModel>();
  for (const endpoint of untouchedFirst(modelsOfKind(models, 'endpoint'), touched)) {
    const claim = pathClaim(endpoint);
    if (!paths.has(claim)) paths.set(claim, endpoint);
  }
  return { hostnames, paths };
}

function untouchedFirst<Claimant extends Model>(
  models: readonly Claimant[],
  touched: ReadonlySet<string>,
): readonly Claimant[] {
  const isTouched = ({ kind, name }: Claimant) => touched.has(modelKey(kind, name));
  return [...models.filter((model) => !isTouched(model)), ...models.filter(isTouched)];
}
