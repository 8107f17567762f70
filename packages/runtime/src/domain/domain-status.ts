import type { MetricSample } from '../metrics/metric-sample.js';
import type { EmitterFigures } from '../node/emitter.js';
import type { IngestorFigures } from '../node/ingestor.js';

/** Whether a domain executes, is held for an alteration, or only answers that it does not run. */
export type DomainState = 'running' | 'paused' | 'draining' | 'stopped';

/** Figures of the nodes of one domain, as this data plane sees them. */
export interface DomainStatus {
  readonly domain: string;
  readonly state: DomainState;
  readonly revision: number;
  readonly generation: number;
  readonly relays: readonly {
    readonly name: string;
    readonly capacity: number;
    /** Batches in the buffer. */
    readonly buffered: number;
    /** Batches whose publishers wait, for room or for the end of a hold. */
    readonly waiting: number;
    /** Live concrete keys; null when unbranched. */
    readonly branchInstances: number | null;
  }[];
  readonly ingestors: readonly ({ readonly name: string } & IngestorFigures)[];
  readonly processors: readonly {
    readonly kind: 'JUNCTION' | 'DEDUPLICATOR' | 'WINDOW_PROCESSOR';
    readonly name: string;
    readonly branchInstances: number;
  }[];
  readonly emitters: readonly ({ readonly name: string } & EmitterFigures)[];
  /** Every series of the domain, with what descriptions derive from it. */
  readonly metrics: readonly MetricSample[];
}
