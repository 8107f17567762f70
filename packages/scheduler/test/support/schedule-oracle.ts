import { isLiveVoter } from '../../src/cluster/cluster-view.js';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { infeasibilityOf } from '../../src/feasibility/destination.js';
import { visitSoftPartners } from '../../src/placement/soft-partner.js';

/** Nodes of each graph node, primary first; written for the reader and not for speed. */
export function naiveSchedule(input: DomainScheduleInput): readonly (readonly string[])[] {
  return new NaiveScheduler(input).run();
}

type Unit = readonly number[];

class NaiveScheduler {
  readonly #input: DomainScheduleInput;
  readonly #ids: readonly number[];
  readonly #live: readonly string[];
  readonly #candidates: readonly string[];
  readonly #now: string[][];
  #cursor = 0;

  constructor(input: DomainScheduleInput) {
    this.#input = input;
    this.#ids = [...input.placement.graph.keys.keys()];
    this.#live = input.nodes
      .filter(isLiveVoter)
      .map(({ name }) => name)
      .sort();
    this.#candidates = input.nodes
      .filter((node) => infeasibilityOf(node) === undefined)
      .map(({ name }) => name)
      .sort();
    this.#now = this.#ids.map(() => []);
  }

  run(): readonly (readonly string[])[] {
    const units = this.#unitsInOrder();
    const kept = units.filter((unit) => this.#host(unit) !== undefined);
    for (const unit of kept) {
      const host = this.#host(unit) ?? '';
      for (const id of unit) this.#now[id] = [host, ...this.#liveReplicas(id, host)];
    }
    for (const unit of units) if (!kept.includes(unit)) this.#decide(unit);
    for (const unit of kept) this.#fill(unit);
    return this.#ids.map((id) => {
      if (this.#traits(id)?.runs === 'every_node') return this.#live;
      return this.#now[id]?.length ? (this.#now[id] ?? []) : this.#before(id);
    });
  }

  #traits(id: number) {
    const key = this.#input.placement.graph.keys[id];
    return this.#input.traits.find(({ kind, name }) => kind === key?.kind && name === key.name);
  }

  #before(id: number): readonly string[] {
    const key = this.#input.placement.graph.keys[id];
    const found = this.#input.previous.find(
      ({ kind, name }) => kind === key?.kind && name === key.name,
    );
    return found?.nodes ?? [];
  }

  /** Longest walk of distinct components into a node, by trying all of them. */
  #depth(id: number, seen: readonly number[] = []): number {
    const { components, successors } = this.#input.placement.graph;
    const own = components.of[id] ?? 0;
    const mates = this.#ids.filter((other) => components.of[other] === own);
    const feeders = this.#ids.filter((other) => {
      if (components.of[other] === own || seen.includes(components.of[other] ?? 0)) return false;
      const targets = successors.targets.slice(
        successors.starts[other],
        successors.starts[other + 1],
      );
      return mates.some((mate) => targets.includes(mate));
    });
    return Math.max(0, ...feeders.map((feeder) => 1 + this.#depth(feeder, [...seen, own])));
  }

  #unitsInOrder(): readonly Unit[] {
    const { groups, groupOf } = this.#input.placement;
    const once = this.#ids.filter((id) => this.#traits(id)?.runs === 'once');
    const order = once.toSorted((a, b) => this.#depth(a) - this.#depth(b) || a - b);
    const units: Unit[] = [];
    for (const id of order) {
      if (units.some((unit) => unit.includes(id))) continue;
      const mates = groups[groupOf[id] ?? -1]?.members ?? [id];
      units.push(mates.filter((mate) => once.includes(mate)));
    }
    return units;
  }

  #host(unit: Unit): string | undefined {
    const owners = unit.flatMap((id) => this.#before(id).slice(0, 1));
    const [host] = owners;
    if (host === undefined || owners.some((name) => name !== host)) return undefined;
    if (!this.#live.includes(host)) return undefined;
    return owners.length === unit.length || this.#candidates.includes(host) ? host : undefined;
  }

  #liveReplicas(id: number, host: string): string[] {
    if (this.#traits(id)?.replication === 'none') return [];
    return this.#before(id)
      .slice(1)
      .filter((name) => name !== host && this.#live.includes(name));
  }

  #slots(id: number): number {
    if (this.#traits(id)?.replication === 'none') return 0;
    return Math.max(this.#before(id).length - 1, this.#input.replicaCount);
  }

  #decide(unit: Unit): void {
    const owners = unit.flatMap((id) => this.#before(id).slice(0, 1));
    const isApart =
      new Set(owners).size > 1 || (owners[0] !== undefined && this.#live.includes(owners[0]));
    const hasState = unit.some((id) => this.#traits(id)?.replication === 'state');
    const mode = isApart ? 'gather' : owners.length > 0 && hasState ? 'rescue' : 'plain';
    const ranking = this.#rank(unit, mode);
    const [host] = ranking;
    if (host === undefined) return;
    this.#cursor += 1;
    for (const id of unit) {
      const [owner] = this.#before(id);
      const node = this.#input.nodes.find(({ name }) => name === owner);
      const isHeir = owner !== undefined && this.#live.includes(owner) && !node?.isTerminating;
      const first = isHeir ? [owner] : [];
      const order = [...first, ...this.#liveReplicas(id, host), ...ranking];
      const distinct = [...new Set(order)].filter((name) => name !== host);
      this.#now[id] = [host, ...distinct.slice(0, this.#slots(id))];
    }
  }

  #fill(unit: Unit): void {
    const ranking = this.#rank(unit, 'plain');
    for (const id of unit) {
      const isWhole =
        this.#before(id).length > 0 && this.#before(id).every((name) => this.#live.includes(name));
      if (unit.length === 1 && isWhole && this.#traits(id)?.kind === 'ingestor') continue;
      const all = [...new Set([...(this.#now[id] ?? []), ...ranking])];
      const most = 1 + Math.max(this.#slots(id), (this.#now[id]?.length ?? 1) - 1);
      this.#now[id] = all.slice(0, most);
    }
  }

  /** Scores of all candidates as lists that are compared from the left. */
  #rank(unit: Unit, mode: 'plain' | 'gather' | 'rescue'): readonly string[] {
    const load = (name: string) => this.#now.flat().filter((other) => other === name).length;
    const count = this.#candidates.length;
    const scored = this.#candidates.map((name, place) => {
      const turn = (place - (this.#cursor % count) + count) % count;
      const last = [this.#locality(unit, name), -load(name), -turn];
      const soft = this.#soft(unit, name);
      const already = unit.filter((id) => this.#before(id)[0] === name).length;
      if (mode === 'gather') return { name, scores: [soft, already, ...last] };
      if (mode === 'rescue') return { name, scores: [this.#copies(unit, name), soft, ...last] };
      return { name, scores: [soft, this.#isWholeReplica(unit, name) ? 1 : 0, ...last] };
    });
    const compare = (a: readonly number[], b: readonly number[]) => {
      const place = a.findIndex((score, index) => score !== b[index]);
      return (b[place] ?? 0) - (a[place] ?? 0);
    };
    return scored.toSorted((a, b) => compare(a.scores, b.scores)).map(({ name }) => name);
  }

  #soft(unit: Unit, name: string): number {
    let score = 0;
    for (const id of unit) {
      visitSoftPartners(this.#input.placement, id, (partner, weight) => {
        if (!unit.includes(partner) && this.#now[partner]?.[0] === name) score += weight;
      });
    }
    return score;
  }

  #copies(unit: Unit, name: string): number {
    const stateful = unit.filter((id) => this.#traits(id)?.replication === 'state');
    return stateful.filter((id) => this.#liveReplicas(id, '').includes(name)).length;
  }

  #isWholeReplica(unit: Unit, name: string): boolean {
    const able = unit.filter((id) => this.#traits(id)?.replication !== 'none');
    return able.length > 0 && able.every((id) => this.#liveReplicas(id, '').includes(name));
  }

  #locality(unit: Unit, name: string): number {
    const { successors } = this.#input.placement.graph;
    const feeds = (id: number) => {
      const targets = successors.targets.slice(successors.starts[id], successors.starts[id + 1]);
      return !unit.includes(id) && unit.some((member) => targets.includes(member));
    };
    return this.#ids.filter((id) => feeds(id) && this.#now[id]?.includes(name)).length;
  }
}
