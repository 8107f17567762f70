import type { WriteCommand, WriteResult } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';

/**
 * Writes what a domain was prepared for; a write that does not take effect lets its graph go on.
 *
 * @throws RaftError when the store failed
 */
export async function writePrepared(
  context: Pick<ControlContext, 'log' | 'effects'>,
  domain: string,
  command: Partial<WriteCommand>,
): Promise<WriteResult> {
  let isApplied = false;
  try {
    const result = await context.log.write(command);
    isApplied = result.kind === 'applied';
    return result;
  } finally {
    if (!isApplied) await context.effects.release(domain);
  }
}
