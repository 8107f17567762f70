import type { ControlContext } from './control-context.js';
import type { CommitDriver } from './transactions/commit.js';

/** Starts what ran when the node stopped, then finishes interrupted commits. */
export async function recover(context: ControlContext, commits: CommitDriver): Promise<void> {
  for (const domain of context.state.domains()) {
    if (domain.status !== 'running') continue;
    const error = await context.activation.activate(domain.name);
    if (error === undefined) context.logger.info('domain resumed', { domain: domain.name });
    else context.logger.error('domain did not resume', { domain: domain.name, cause: error });
  }
  await commits.resumeAll();
}
