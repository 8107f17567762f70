import type { CodecModel, ExecutionPlan, UdfModel } from '@nervix/model';
import type { DomainModels, QuiesceLevel } from '@nervix/planner';
import type { ScheduleEntry } from '@nervix/scheduler';
import type { DomainRecord, GuestReset } from '../../replicated-state/records.js';
import type { Outcome } from '../outcome.js';

/** A graph that is ready to run, and what running it asks of the one that runs now. */
export interface CompiledGraph {
  readonly kind: 'compiled';
  readonly plan: ExecutionPlan;
  /** What has to be held of the running graph for it: nothing, some nodes, or all of it. */
  readonly pause: QuiesceLevel;
}

/** What a graph is compiled from. */
export interface GraphSource {
  readonly domain: DomainRecord;
  readonly models: DomainModels;
  readonly schedule: readonly ScheduleEntry[];
}

/**
 * The door to whoever runs the graphs: the only side effects that a change of a domain has besides
 * its writes. None of them decides anything, and each may be asked for again.
 */
export interface Effects {
  /**
   * Loads a UDF and runs its tests, if there is an engine for its language.
   *
   * @returns why it cannot be used, or undefined
   */
  prepareUdf(udf: UdfModel): Promise<string | undefined>;
  /**
   * Compiles the descriptors of a codec, if it has any.
   *
   * @returns why it cannot be used, or undefined
   */
  prepareCodec(domain: string, codec: CodecModel): Promise<string | undefined>;
  /** Types a graph that is about to be written; the refusal says why it cannot run. */
  compile(source: GraphSource): CompiledGraph | Outcome;
  /**
   * Holds and drains what the graph will replace, and checks that the rest of the node lets it run.
   * {@link Effects.activate} or {@link Effects.release} must follow.
   *
   * @returns undefined on success, else the refusal; nothing is held then
   */
  engage(graph: CompiledGraph): Promise<Outcome | undefined>;
  /**
   * Closes the inputs of the instances that lose their state, and waits until they are at rest.
   * {@link Effects.resetGuests} or {@link Effects.release} must follow.
   *
   * @returns undefined on success, else the refusal; nothing is held then
   */
  prepareReset(reset: GuestReset): Promise<Outcome | undefined>;
  /**
   * Replaces the instances, their checkpoints and all replicas of these by those of the generation,
   * and opens their inputs; what is of it already stays.
   *
   * @returns undefined on success, else why the instances are not usable; they stay closed then
   */
  resetGuests(reset: GuestReset): Promise<string | undefined>;
  /** Lets go on what an engagement holds; without one it does nothing. */
  release(domain: string): Promise<void>;
  /**
   * Brings a running domain to what is committed; resolves when its sources are ready.
   *
   * @param graph the committed graph if it was compiled before it was written
   * @returns undefined on success, else why the graph does not run
   */
  activate(domain: string, graph?: CompiledGraph): Promise<string | undefined>;
  /** Stops a domain's sources and tasks. */
  deactivate(domain: string): Promise<void>;
  /** Forgets a domain that is no more, with its figures. */
  remove(domain: string): Promise<void>;
}
