/** A fact with the time since it was observed, in milliseconds; null for facts that do not age. */
export interface Observed<Value> {
  readonly value: Value;
  readonly ageMs: number | null;
}

/** Amounts of what work uses up. */
export interface Capacity {
  /** Cores, fractions included; never a percentage. */
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly fileHandles: number;
}

/** What a node runs on. */
export interface Platform {
  /** Such as `linux`. */
  readonly os: string;
  /** Such as `x64`. */
  readonly architecture: string;
  /** Such as `node24`. */
  readonly runtime: string;
}

/** What is known of a node beyond its membership. A fact that is absent is unknown. */
export interface NodeFacts {
  /** Pools that the node belongs to. */
  readonly pools?: Observed<readonly string[]>;
  readonly isInMaintenance?: Observed<boolean>;
  readonly platform?: Observed<Platform>;
  /** Guest runtimes, storage classes and kinds of enforcement, by name. */
  readonly capabilities?: Observed<readonly string[]>;
  /** What is left for new work, reservations of others taken off. */
  readonly available?: Observed<Capacity>;
  /** All that the node offers to work, the share of its own system taken off. */
  readonly total?: Observed<Capacity>;
  readonly takenPorts?: Observed<readonly number[]>;
  /** Clients and peers that the node reaches, by name. */
  readonly reachable?: Observed<readonly string[]>;
  /** Versions that are installed or can be, as `name@version`. */
  readonly resourceVersions?: Observed<readonly string[]>;
  /** Data sets and states that the node holds or can attach, by name. */
  readonly dataSets?: Observed<readonly string[]>;
  readonly failureDomain?: Observed<string>;
  /** Versions that are installed already, as `name@version`. */
  readonly installedVersions?: Observed<readonly string[]>;
  /** The higher of event-loop delay and memory use, in percent of their limits. */
  readonly pressurePercent?: Observed<number>;
  /** What running there costs, in percent of the dearest node. */
  readonly costPercent?: Observed<number>;
}
