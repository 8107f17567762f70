import { keyOf, leaseKey } from '../../replicated-state/record-keys.js';
import type {
  GuestReset,
  LeaseRecord,
  PendingCommand,
  ReferenceRecord,
  StateRecord,
} from '../../replicated-state/records.js';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import type { WriteCommand } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';
import { ownerText } from '../domain-locks.js';
import type { CompiledGraph } from '../execution/effects.js';
import { failed, type Outcome } from '../outcome.js';

type Undo = PendingCommand['undo'];

/** What takes back a write: everything that it puts or removes as it stands now. */
export function undoOf(
  state: ReplicatedState,
  { put, remove }: Pick<WriteCommand, 'put' | 'remove'>,
): Undo {
  const undo: { put: StateRecord[]; remove: string[] } = { put: [], remove: [] };
  for (const key of [...put.map(keyOf), ...remove]) {
    const former = state.record(key);
    if (former === undefined) undo.remove.push(key);
    else undo.put.push(former);
  }
  return undo;
}

/** The lease of a command, written with its effect. */
export function commandLease(
  domain: string,
  pending: PendingCommand,
): LeaseRecord & { readonly pending: PendingCommand } {
  const owner = { kind: 'command', reference: pending.reference.id } as const;
  return { kind: 'lease', domain, owner, pending };
}

/**
 * Ends a command whose effect is written: as soon as that is usable its outcome is recorded, and an
 * effect that cannot be had is taken back, so that what runs is what is stored. Either is one write
 * with the release of the domain, and may be asked for again behind any crash.
 *
 * @param graph the graph of the effect if it was compiled before it was written
 */
export async function finishCommand(
  context: ControlContext,
  { domain, pending }: LeaseRecord & { readonly pending: PendingCommand },
  graph?: CompiledGraph,
): Promise<Outcome> {
  const { effects, state } = context;
  if (pending.reset !== null) return finishReset(context, pending, pending.reset);
  const isRunning = state.domain(domain)?.status === 'running';
  if (!isRunning) await effects.deactivate(domain);
  const cause = isRunning ? await effects.activate(domain, graph) : undefined;
  return cause === undefined
    ? endOfCommand(context, domain, { reference: pending.reference })
    : takeBack(context, domain, pending, cause);
}

/** Guests that are not usable stay closed, and their domain held, until a repetition makes them so. */
async function finishReset(
  context: ControlContext,
  { reference }: PendingCommand,
  reset: GuestReset,
): Promise<Outcome> {
  const cause = await context.effects.resetGuests(reset);
  if (cause === undefined) return endOfCommand(context, reset.domain, { reference });
  return failed('OUTCOME_UNKNOWN', unusableReset(reset, cause));
}

/** What is told of a reset that cannot go back and did not get through. */
export function unusableReset({ processor }: GuestReset, cause: string): string {
  return (
    `wasm processor '${processor}' committed the WASM state reset, ` +
    `but it did not become usable: ${cause}`
  );
}

/** Writes the end of a command that holds a domain. */
async function endOfCommand(
  { log, state }: ControlContext,
  domain: string,
  { reference, put = [], remove = [] }: { readonly reference: ReferenceRecord } & Partial<Undo>,
): Promise<Outcome> {
  const key = leaseKey(domain);
  const owner = { kind: 'command', reference: reference.id } as const;
  const fences = [{ key, revision: state.revisionOf(key) }];
  const result = await log.write({ fences, put, remove: [...remove, key], reference });
  if (result.kind !== 'raced') return state.reference(reference.id)?.outcome ?? reference.outcome;
  // Whoever holds it now decides what becomes of the command.
  return failed('OUTCOME_UNKNOWN', noLongerHeld(domain, ownerText(owner)));
}

/** Why an owner that lost the domain writes nothing. */
export function noLongerHeld(domain: string, owner: string): string {
  return `domain '${domain}' mutation lease for ${owner} is no longer authoritative`;
}

async function takeBack(
  context: ControlContext,
  domain: string,
  { reference, undo }: PendingCommand,
  cause: string,
): Promise<Outcome> {
  const { effects, logger } = context;
  const isStart = undo.put.some(
    (record) => record.kind === 'domain' && record.status === 'stopped',
  );
  const what = isStart ? 'failed to start' : 'failed to publish schedule for';
  const outcome = failed('ACTIVATION_FAILED', `${what} domain '${domain}': ${cause}`);
  const put = undo.put.map((record) => withGeneration(context.state, record));
  let ended: Outcome;
  try {
    const end = { reference: { ...reference, outcome }, put, remove: undo.remove };
    ended = await endOfCommand(context, domain, end);
  } catch (error) {
    // The store says that the domain runs: its graph does not.
    if (isStart) await stopAnyhow(context, domain);
    throw error;
  }
  if (isStart) {
    await effects.deactivate(domain);
    return ended;
  }
  const again = await effects.activate(domain);
  if (again !== undefined) {
    // A stored graph that could not run before either: what runs in its place goes on.
    await effects.release(domain);
    logger.error('the former graph did not resume', { domain, cause: again });
  }
  return ended;
}

/** What already went wrong is told, whatever becomes of this. */
async function stopAnyhow({ effects, logger }: ControlContext, domain: string): Promise<void> {
  try {
    await effects.deactivate(domain);
  } catch (error) {
    logger.error('domain did not stop', { domain }, error);
  }
}

/** A start counts although it is over: its generation is never used again. */
function withGeneration(state: ReplicatedState, record: StateRecord): StateRecord {
  if (record.kind !== 'domain') return record;
  const generation = state.domain(record.name)?.generation ?? record.generation;
  return { ...record, generation };
}

/**
 * Ends every command whose effect was written when the node stopped, and gives back what nobody works
 * on any more.
 *
 * @throws RaftError when the store failed
 */
export async function resumeCommands(context: ControlContext): Promise<void> {
  const { state, locks, logger } = context;
  for (const { domain, owner } of state.leases()) {
    if (locks.acquire(domain, ownerText(owner)) !== undefined) continue;
    try {
      await resume(context, domain);
    } catch (error) {
      if (context.log.status().failure !== undefined) throw error;
      logger.error('a command was interrupted', { domain, owner: ownerText(owner) }, error);
    } finally {
      locks.release(domain);
    }
  }
}

/** The lease is read anew: while others were resumed, its owner may have come to its end. */
async function resume(context: ControlContext, domain: string): Promise<void> {
  const { state, log, logger } = context;
  const lease = state.lease(domain);
  if (lease === undefined) return;
  const { pending, owner } = lease;
  if (pending !== null) {
    const { kind } = await finishCommand(context, { ...lease, pending });
    const facts = { domain, execution_reference: pending.reference.id, outcome: kind };
    logger.info('interrupted command finished', facts);
  } else if (owner.kind !== 'transaction' || state.transaction(owner.id)?.state !== 'COMMITTING') {
    const key = leaseKey(domain);
    await log.write({ fences: [{ key, revision: state.revisionOf(key) }], remove: [key] });
  }
}
