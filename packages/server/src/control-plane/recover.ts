import type { ControlContext } from './control-context.js';
import { publishSchedules } from './scheduling/publish-schedules.js';
import type { CommitDriver } from './transactions/commit.js';

/**
 * Takes over: lets the node come to where it can come by itself, places what has no place, finishes
 * interrupted commits. A domain that cannot be brought up keeps no other from it.
 *
 * @throws RaftError when the store failed
 */
export async function recover(context: ControlContext, commits: CommitDriver): Promise<void> {
  await context.effects.settled();
  tellWhatRuns(context);
  await publishSchedules(context);
  await context.effects.settled();
  await commits.resumeAll();
}

function tellWhatRuns({ state, activation, logger }: ControlContext): void {
  for (const { name: domain, status } of state.domains()) {
    const isRunning = status === 'running';
    const cause = activation.failureOf(domain);
    if (cause !== undefined) {
      const what = isRunning ? 'domain did not resume' : 'domain did not stop';
      logger.error(what, { domain, cause });
    } else if (isRunning) logger.info('domain resumed', { domain });
  }
}
