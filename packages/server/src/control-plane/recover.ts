import type { ControlContext } from './control-context.js';
import { publishSchedules } from './scheduling/publish-schedules.js';
import type { CommitDriver } from './transactions/commit.js';

/** Places what has no place, starts what ran when the node stopped, finishes interrupted commits. */
export async function recover(context: ControlContext, commits: CommitDriver): Promise<void> {
  await publishSchedules(context);
  for (const domain of context.state.domains()) {
    if (domain.status !== 'running') continue;
    const error = await context.activation.activate(domain.name);
    if (error === undefined) context.logger.info('domain resumed', { domain: domain.name });
    else context.logger.error('domain did not resume', { domain: domain.name, cause: error });
  }
  await commits.resumeAll();
}
