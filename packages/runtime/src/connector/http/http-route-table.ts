import { runtimeError } from '../../errors.js';
import type { HttpIntake } from './http-intake.js';

/** One address of an endpoint. Hosts are lower-case and carry no port. */
export interface HttpRoute {
  readonly host: string;
  readonly path: string;
  readonly intake: HttpIntake;
}

/** The routes of both data listeners. */
export interface RouteTables {
  readonly plain: HttpRouteTable;
  /** Of virtual hosts that are served over TLS. */
  readonly secure: HttpRouteTable;
}

/** All routes of a data listener, by host and exact path. Changed one domain at a time. */
export class HttpRouteTable {
  readonly #routesOf = new Map<string, readonly HttpRoute[]>();
  #hosts: ReadonlyMap<string, ReadonlyMap<string, HttpIntake>> = new Map();

  /**
   * @throws RuntimeError `RUNTIME_ROUTE_CONFLICT` when another domain owns an address, or the same
   * domain claims one twice
   */
  check(domain: string, addresses: readonly Omit<HttpRoute, 'intake'>[]): void {
    const owners = new Map<string, string>();
    for (const [owner, routes] of this.#routesOf) {
      if (owner === domain) continue;
      for (const { host, path } of routes) owners.set(`${host}${path}`, owner);
    }
    for (const { host, path } of addresses) {
      const owner = owners.get(`${host}${path}`);
      if (owner !== undefined) {
        throw runtimeError('RUNTIME_ROUTE_CONFLICT', { host, path, domain: owner });
      }
      owners.set(`${host}${path}`, domain);
    }
  }

  /** Replaces the routes of a domain by one swap; throws as {@link HttpRouteTable.check} does. */
  replace(domain: string, routes: readonly HttpRoute[]): void {
    this.check(domain, routes);
    this.#routesOf.set(domain, routes);
    const hosts = new Map<string, Map<string, HttpIntake>>();
    for (const { host, path, intake } of [...this.#routesOf.values()].flat()) {
      const paths = hosts.get(host) ?? new Map<string, HttpIntake>();
      hosts.set(host, paths.set(path, intake));
    }
    this.#hosts = hosts;
  }

  remove(domain: string): void {
    this.replace(domain, []);
    this.#routesOf.delete(domain);
  }

  /**
   * @param hostHeader value of the Host header as received
   * @param url request target as received
   */
  find(hostHeader: string | undefined, url: string): HttpIntake | undefined {
    if (hostHeader === undefined) return undefined;
    return this.#hosts.get(hostName(hostHeader))?.get(pathOf(url));
  }
}

/** Host name of a Host header: without port and blanks, lower-case. */
export function hostName(header: string): string {
  let host = header.trim().toLowerCase();
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1);
  const colon = host.indexOf(':');
  if (colon >= 0) host = host.slice(0, colon);
  return host;
}

function pathOf(url: string): string {
  if (!url.startsWith('/')) return URL.canParse(url) ? new URL(url).pathname : url;
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
