import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type NervixdProcess, NodeClient, startNervixd } from '@nervix/testkit';
import { onTestFinished } from 'vitest';

/** A started node and a client that knows its password. */
export interface ScratchNode {
  readonly node: NervixdProcess;
  readonly client: NodeClient;
}

/** A new folder that goes when the test ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervixd-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const PASSWORD = 'scratch-password';

/** Starts a node that ends with the test. */
export async function scratchNode(
  settings: Partial<Parameters<typeof startNervixd>[0]> = {},
): Promise<ScratchNode> {
  const { dbPath = scratchFolder(), env = {}, ...rest } = settings;
  const node = await startNervixd({
    dbPath,
    env: { NERVIX_INIT_DEFAULT_USER_PASSWORD: PASSWORD, NERVIX_LOG: 'warn', ...env },
    ...rest,
  });
  const client = new NodeClient(node, PASSWORD);
  onTestFinished(async () => {
    client.close();
    await node.kill9();
  });
  return { node, client };
}
