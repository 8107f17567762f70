import type { ControlContext } from './control-context.js';
import { publishSchedules } from './scheduling/publish-schedules.js';
import type { CommitDriver } from './transactions/commit.js';

/**
 * Starts what ran when the node stopped, places what has no place, finishes interrupted commits. A
 * domain that cannot be brought up keeps no other from it.
 *
 * @throws RaftError when the store failed
 */
export async function recover(context: ControlContext, commits: CommitDriver): Promise<void> {
  for (const { name: domain, status } of context.state.domains()) {
    const isRunning = status === 'running';
    const error = await broughtTo(context, domain, isRunning);
    if (error !== undefined) {
      const what = isRunning ? 'domain did not resume' : 'domain did not stop';
      context.logger.error(what, { domain, cause: error });
    } else if (isRunning) context.logger.info('domain resumed', { domain });
  }
  await publishSchedules(context);
  await commits.resumeAll();
}

/** A fault of one domain is its own. */
async function broughtTo(
  { effects }: ControlContext,
  domain: string,
  isRunning: boolean,
): Promise<string | undefined> {
  try {
    if (isRunning) return await effects.activate(domain);
    // A node that leads again may still run what another leader stopped.
    await effects.deactivate(domain);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
