import { Agent, request } from 'node:http';
import type { NervixdProcess } from './nervixd-process.js';

/** An HTTP answer with its whole body. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface KnownTransaction {
  readonly id: string;
  readonly state: string;
  readonly accepted_operations: number;
}

/** An answer of the command API; `body` is what its JSON says. */
export interface CommandAnswer {
  readonly status: number;
  readonly body: {
    readonly message?: string;
    readonly origin?: string;
    readonly transaction?: KnownTransaction;
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly transaction?: KnownTransaction;
    };
  };
}

/** What a request carries beside its address. */
export interface HttpAsked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Talks to one node the way a simple HTTP client does, over connections that are kept. */
export class NodeClient {
  readonly #node: NervixdProcess;
  readonly #authorization: string;
  readonly #agent = new Agent({ keepAlive: true });
  /** How much each transaction holds, as far as the node told. */
  readonly #accepted = new Map<string, number>();

  /** @param password the default user's, when the node did not print or get one at this start */
  constructor(node: NervixdProcess, password: string | undefined = node.password) {
    this.#node = node;
    this.#authorization = `Basic ${Buffer.from(`default:${password}`).toString('base64')}`;
  }

  /** Value of the `Authorization` header. */
  get authorization(): string {
    return this.#authorization;
  }

  /** Any request; rejects when the connection fails. */
  send(url: string, { method = 'GET', headers = {}, body }: HttpAsked = {}): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent: this.#agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Posts a body to a path of the data listener. */
  post(path: string, body: string | Uint8Array, headers = {}): Promise<HttpReply> {
    const { http } = this.#node.addresses;
    const all = { 'content-type': 'application/json', host: 'localhost', ...headers };
    return this.send(`${http}${path}`, { method: 'POST', headers: all, body });
  }

  /** Runs NSPL; in a transaction behind what the node is known to hold of it. */
  async command(
    query: string,
    rest: Readonly<Record<string, unknown>> = {},
  ): Promise<CommandAnswer> {
    const { session } = this.#node.addresses;
    const { transaction } = rest;
    const position =
      typeof transaction === 'string'
        ? { expected_transaction_position: this.#accepted.get(transaction) ?? 0 }
        : {};
    const { status, text } = await this.send(`${session}/api/v1/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: this.#authorization },
      body: JSON.stringify({ query, ...position, ...rest }),
    });
    const body = JSON.parse(text) as CommandAnswer['body'];
    const known = body.transaction ?? body.error?.transaction;
    if (known !== undefined) this.#accepted.set(known.id, known.accepted_operations);
    return { status, body };
  }

  /** Runs NSPL that must succeed, and gives its text. */
  async run(query: string, rest: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { status, body } = await this.command(query, rest);
    if (status === 200) return body.message ?? '';
    throw new Error(`${query} was answered ${status}: ${JSON.stringify(body)}`);
  }

  /** Creates a domain, fills it in one transaction and starts it. */
  async deploy(domain: string, statements: readonly string[]): Promise<void> {
    await this.run(`CREATE DOMAIN ${domain};`);
    await this.run(`BEGIN; ${statements.join('\n')} START; COMMIT;`, { domain });
  }

  /** Reads the node's metrics. */
  async metrics(): Promise<Metrics> {
    const { observability } = this.#node.addresses;
    return new Metrics((await this.send(`${observability}/metrics`)).text);
  }

  /** Closes kept connections. */
  close(): void {
    this.#agent.destroy();
  }
}

/** One scrape. */
export class Metrics {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  /** Sum of the series of a name whose labels include the given ones; 0 without any. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    let sum = 0;
    for (const line of this.#lines) {
      const isOfName = line.startsWith(`${name}{`) || line.startsWith(`${name} `);
      if (isOfName && wanted.every((pair) => line.includes(pair))) {
        sum += Number(line.slice(line.lastIndexOf(' ') + 1));
      }
    }
    return sum;
  }
}
