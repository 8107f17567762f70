import type { Capacity, Platform } from './node-facts.js';

/** Bounds how many graph nodes of one set share a failure domain. */
export interface SpreadRequirement {
  /** Name of the set; all graph nodes that name it are counted together. */
  readonly set: string;
  readonly perFailureDomainMax: number;
}

/** Bounds how much of one set a single cluster node carries. */
export interface AvailabilityRequirement {
  /** Name of the set; all graph nodes of the domain that name it are counted together. */
  readonly set: string;
  /** Graph nodes of the set that have to go on when any one cluster node is lost. */
  readonly availableMin: number;
}

/** What a graph node needs of the node it runs on. Only what is declared constrains anything. */
export interface Requirements {
  /** Pool from which nodes may be taken. */
  readonly pool?: string;
  /** True for work that is not to be given to a node under maintenance. */
  readonly avoidsMaintenance?: boolean;
  readonly platform?: Partial<Platform>;
  readonly capabilities?: readonly string[];
  readonly capacity?: Partial<Capacity>;
  /** Ports that the work listens on. */
  readonly ports?: readonly number[];
  /** Clients and peers that have to be reached. */
  readonly reaches?: readonly string[];
  /** Versions that have to be installed or installable, as `name@version`. */
  readonly resourceVersions?: readonly string[];
  /** Data sets that have to be at hand. */
  readonly dataSets?: readonly string[];
  readonly spread?: SpreadRequirement;
  readonly availability?: AvailabilityRequirement;
  /** Age, in milliseconds, above which an observation proves nothing; absent means any age does. */
  readonly evidenceAgeMsMax?: number;
}
