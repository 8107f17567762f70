import { randomBytes } from 'node:crypto';
import type { Server } from 'node:https';
import { runtimeError } from '../../errors.js';
import type { RuntimeLog } from '../../log.js';
import { HttpListener, type HttpListenerOptions, type ServerMaker } from './http-listener.js';
import type { HttpRouteTable } from './http-route-table.js';
import type { SecureHost, SecureHosts } from './secure-hosts.js';

/** What the HTTPS listener of a data plane works with. */
export interface SecureListenerPorts {
  /** Absent where the data plane has none: every host is refused then. */
  readonly options: HttpListenerOptions | undefined;
  readonly routes: HttpRouteTable;
  readonly log: RuntimeLog;
  readonly answeredUnrouted: (status: number) => void;
}

interface OpenListener {
  readonly listener: HttpListener;
  readonly server: Server;
}

/** Bytes of what session tickets are sealed with. */
const TICKET_KEY_BYTES = 48;

/**
 * The virtual hosts of all domains that are served over TLS, behind one listener that is open while
 * there are any. A handshake presents what is in force when it begins; connections that are
 * established stay as they are.
 */
export class SecureListener {
  readonly #ports: SecureListenerPorts;
  /** Loaded with the first host, as everything of TLS is: most nodes need none of it. */
  #hosts: SecureHosts | undefined;
  #open: OpenListener | undefined;
  /** Those that take no more connections, and finish what they took. */
  readonly #retired = new Set<HttpListener>();
  #changes: Promise<void> = Promise.resolve();
  #isAdmitting = false;
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(ports: SecureListenerPorts) {
    this.#ports = ports;
  }

  /** Lets handshakes go on: until then connections wait, so that none finds its endpoint missing. */
  admit(): void {
    this.#isAdmitting = true;
    for (const go of this.#waiting.splice(0)) go();
  }

  /**
   * Puts hosts in the place of all that a domain had, by one swap. What was served before goes on
   * when it fails.
   *
   * @throws RuntimeError `RUNTIME_SECURE_HOST_REFUSED`, `RUNTIME_LISTEN_FAILED` or `RUNTIME_CLOSED`
   */
  replace(domain: string, hosts: readonly SecureHost[]): Promise<void> {
    const change = this.#changes.then(() => this.#replace(domain, hosts));
    this.#changes = change.catch(() => undefined);
    return change;
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#changes;
    const listeners = [
      ...this.#retired,
      ...(this.#open === undefined ? [] : [this.#open.listener]),
    ];
    await Promise.all(listeners.map((listener) => listener.close()));
  }

  async #replace(domain: string, secureHosts: readonly SecureHost[]): Promise<void> {
    if (this.#isClosed) throw runtimeError('RUNTIME_CLOSED', {});
    if (this.#hosts === undefined && secureHosts.length === 0) return;
    this.#hosts ??= new (await import('./secure-hosts.js')).SecureHosts();
    const hosts = this.#hosts;
    const contexts = hosts.contextsOf(domain, secureHosts);
    if (contexts.size > 0) this.#open ??= await this.#listen(hosts, secureHosts);
    hosts.replace(domain, contexts);
    if (hosts.size === 0) this.#retire();
    // A session that is resumed presents nothing: what was given out before is worth nothing now.
    else this.#open?.server.setTicketKeys(randomBytes(TICKET_KEY_BYTES));
  }

  async #listen(hosts: SecureHosts, [first]: readonly SecureHost[]): Promise<OpenListener> {
    const { options, routes, log, answeredUnrouted } = this.#ports;
    if (options === undefined) {
      const problem = 'this data plane has no HTTPS listener';
      throw runtimeError('RUNTIME_SECURE_HOST_REFUSED', { vhost: first?.name ?? '', problem });
    }
    const { createServer } = await import('node:https');
    let server: Server | undefined;
    const make: ServerMaker = (settings) => {
      server = createServer({
        ...settings,
        minVersion: 'TLSv1.2',
        // A client that never finishes its handshake has as long as one that never finishes a head.
        handshakeTimeout: settings.headersTimeout,
        SNICallback: (hostname, present) => {
          this.#whenAdmitting(() => present(null, hosts.find(hostname)));
        },
      });
      // Where no host is found nothing can be presented, and the handshake fails by itself.
      server.removeAllListeners('tlsClientError');
      server.on('tlsClientError', (_error, socket) => void socket.destroy());
      return server;
    };
    const listener = await HttpListener.open(options, routes, answeredUnrouted, make);
    if (server === undefined) throw new Error('a listener has a server');
    log.info('HTTPS listener opened', listener.address);
    return { listener, server };
  }

  #whenAdmitting(go: () => void): void {
    if (this.#isAdmitting) go();
    else this.#waiting.push(go);
  }

  #retire(): void {
    const { listener } = this.#open ?? {};
    this.#open = undefined;
    if (listener === undefined) return;
    this.#retired.add(listener);
    void listener.retire().then(() => this.#retired.delete(listener));
    this.#ports.log.info('HTTPS listener closed');
  }
}
