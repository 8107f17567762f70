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
    if (status !== 'running') {
      // A node that leads again may still run what another leader stopped.
      await context.effects.deactivate(domain);
      continue;
    }
    const error = await activated(context, domain);
    if (error === undefined) context.logger.info('domain resumed', { domain });
    else context.logger.error('domain did not resume', { domain, cause: error });
  }
  await publishSchedules(context);
  await commits.resumeAll();
}

/** A fault in the plan of one domain is its own. */
async function activated({ effects }: ControlContext, domain: string): Promise<string | undefined> {
  try {
    return await effects.activate(domain);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
