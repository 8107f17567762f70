import type { CodecModel, ExecutionPlan, UdfModel, VhostModel } from '@nervix/model';
import type { DomainModels, QuiesceLevel } from '@nervix/planner';
import type { AdmittedHold } from '@nervix/runtime/data-plane';
import type { ScheduleEntry } from '@nervix/scheduler';
import type { DomainRecord, GuestReset } from '../../replicated-state/records.js';
import type { Outcome } from '../outcome.js';

/** A graph that is ready to run, and what running it asks of the one that runs now. */
export interface CompiledGraph {
  readonly kind: 'compiled';
  readonly plan: ExecutionPlan;
  /** Which node runs which part of it. */
  readonly schedule: readonly ScheduleEntry[];
  /** What has to be held of the running graph for it: nothing, some nodes, or all of it. */
  readonly pause: QuiesceLevel;
  /** What was promised to be held for it in any case. */
  readonly admitted: AdmittedHold;
}

/** What a graph is compiled from. */
export interface GraphSource {
  readonly domain: DomainRecord;
  readonly models: DomainModels;
  readonly schedule: readonly ScheduleEntry[];
  readonly admitted: AdmittedHold;
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
  /**
   * Reads what a virtual host is served over TLS with, if it is.
   *
   * @returns why it cannot be used, or undefined
   */
  prepareVhost(domain: string, vhost: VhostModel): Promise<string | undefined>;
  /**
   * Types a graph that is about to be written, when what is published is in force or cannot be: what
   * it asks to be held depends on what runs. The refusal says why it cannot run.
   *
   * @throws RaftError when the node does not lead, or not any more
   */
  compile(source: GraphSource): Promise<CompiledGraph | Outcome>;
  /**
   * Holds and drains what the graph will replace, and what was admitted besides, and checks that the
   * rest of the node lets it run.
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
   * Waits until every node that has to runs what is committed of a running domain, as of now: later
   * changes move nothing. Of a stopped domain it is the virtual hosts that are served over TLS.
   *
   * @param graph the committed graph if it was compiled before it was written
   * @returns undefined on success, else why the graph does not run
   * @throws RaftError when the node does not lead, or not any more
   */
  activate(domain: string, graph?: CompiledGraph): Promise<string | undefined>;
  /**
   * Waits until no node runs anything of a domain that is stopped.
   *
   * @throws RaftError when the node does not lead, or not any more
   */
  deactivate(domain: string): Promise<void>;
  /**
   * Waits until every node has forgotten a domain that is no more.
   *
   * @throws RaftError when the node does not lead, or not any more
   */
  remove(domain: string): Promise<void>;
  /**
   * Waits until every node that has to reads from the revision of a command, or a later one, and runs
   * what the command made of its domain, or has failed to.
   *
   * @throws RaftError when the node does not lead, or not any more
   */
  inForce(revision: number, domain: string | null): Promise<void>;
  /** Waits until this node has done all that it can by itself about what is published. */
  settled(): Promise<void>;
}
