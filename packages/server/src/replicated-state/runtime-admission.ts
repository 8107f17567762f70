import { isRaftError, type ReadBarrier } from '@nervix/consensus';

/** How long after a read that no leader confirmed the next one is made. */
const RETRY_MS = 500;

/** The log as far as admission needs it. */
export interface AdmissionLog {
  /** Confirms with the leader what is committed, and resolves once that is applied here. */
  read(): Promise<ReadBarrier>;
}

/**
 * Resolves once this process may run what its own store says that it owns: the leader has confirmed
 * a boundary of the log and everything up to it is applied here. A store alone may be far behind, and
 * its work may have gone to others long ago. Proved once a process; a later loss of the leader
 * revokes nothing. Retries for as long as no leader answers.
 *
 * @throws RaftError when this node failed or closes
 */
export async function admitRuntime(
  log: AdmissionLog,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<ReadBarrier> {
  for (;;) {
    try {
      return await log.read();
    } catch (error) {
      const isPassing =
        isRaftError(error, 'RAFT_NOT_LEADER') || isRaftError(error, 'RAFT_OVERLOADED');
      if (!isPassing) throw error;
    }
    await pause(RETRY_MS);
  }
}
