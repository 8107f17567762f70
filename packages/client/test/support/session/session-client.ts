import { onTestFinished } from 'vitest';
import { Client, type ConnectOptions } from '../../../src/index.js';

/** A client over sessions of the domain `shop`, closed when the test ends. */
export function sessionClient(server: string, options: Partial<ConnectOptions> = {}): Client {
  const client = new Client({
    server,
    user: 'ada',
    password: 'pä:ss',
    domain: 'shop',
    transport: 'session',
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}
