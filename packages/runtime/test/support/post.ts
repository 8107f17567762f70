import { request } from 'undici';
import type { DataPlane } from '../../src/index.js';

/** An answer of the data listener. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  /** Code of a JSON error body. */
  readonly code: string | undefined;
}

/** Posts a body to an endpoint of a data plane. */
export async function post(
  plane: DataPlane,
  body: string | Buffer,
  options: { path?: string; host?: string; type?: string; method?: string } = {},
): Promise<Answer> {
  const { host, port } = plane.httpAddress;
  const method = (options.method ?? 'POST') as 'POST';
  const response = await request(`http://${host}:${port}${options.path ?? '/events'}`, {
    method,
    headers: {
      host: options.host ?? 'shop.test',
      'content-type': options.type ?? 'application/json',
    },
    ...(method === 'POST' ? { body } : {}),
  });
  const answered = await response.body.text();
  const parsed =
    answered === '' ? undefined : (JSON.parse(answered) as { error: { code: string } });
  return {
    status: response.statusCode,
    retryAfter: response.headers['retry-after'] as string | undefined,
    body: answered,
    code: parsed?.error.code,
  };
}

/** A record of the `event` schema as JSON text. */
export function event(id: number, rest: Record<string, unknown> = {}): string {
  return JSON.stringify({ id, tenant: `t${id % 3}`, amount: id * 10, ...rest });
}
