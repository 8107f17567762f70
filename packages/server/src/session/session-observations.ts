import {
  encodeServerFrame,
  FEATURE_LEVEL,
  type FrameLimits,
  type Leadership,
  type ServerBody,
} from '@nervix/protocol/session';
import type { ControlPlane, LeadershipView } from '../control-plane/control-plane.js';
import { domainFrame } from './frames/domain-frame.js';
import type { Session } from './session.js';

/** How often is looked whether the leader or a domain changed. */
export const OBSERVATION_INTERVAL_MS = 250;

interface Event {
  readonly kind: ServerBody['t'];
  readonly frame: Uint8Array;
}

/** Tells sessions who leads and which domains there are, first of all and whenever that changes. */
export class SessionObservations {
  readonly #controlPlane: Pick<ControlPlane, 'leadership' | 'domains'>;
  readonly #limits: FrameLimits;
  readonly #sessions: ReadonlySet<Session>;
  readonly #timer: NodeJS.Timeout;
  #leadership = '';
  #domains = '';

  constructor(
    controlPlane: Pick<ControlPlane, 'leadership' | 'domains'>,
    sessions: ReadonlySet<Session>,
    limits: FrameLimits,
    intervalMs: number,
  ) {
    this.#controlPlane = controlPlane;
    this.#sessions = sessions;
    this.#limits = limits;
    this.#timer = setInterval(() => {
      if (sessions.size > 0) this.#check();
    }, intervalMs);
    this.#timer.unref();
  }

  /** Sends a new session, which is none of the others yet, the two frames that it begins with. */
  greet(session: Session): void {
    this.#check();
    this.#tell([session], this.#leadershipEvent());
    this.#tell([session], this.#domainsEvent());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const leadership = JSON.stringify(this.#controlPlane.leadership());
    if (leadership !== this.#leadership) {
      this.#leadership = leadership;
      this.#tell(this.#sessions, this.#leadershipEvent());
    }
    const domains = JSON.stringify(this.#controlPlane.domains().map(domainFrame));
    if (domains !== this.#domains) {
      this.#domains = domains;
      this.#tell(this.#sessions, this.#domainsEvent());
    }
  }

  /** An event that no frame can hold is left out; the list can still be asked for. */
  #tell(sessions: Iterable<Session>, { kind, frame }: Event): void {
    if (frame.length > this.#limits.frameBytes) return;
    for (const session of sessions) session.observe(kind, frame);
  }

  #leadershipEvent(): Event {
    const view = this.#controlPlane.leadership();
    return event({
      t: 'LeadershipObserved',
      leadership: leadershipFrame(view),
      // One level exists so far.
      feature_level: { session: FEATURE_LEVEL, node: FEATURE_LEVEL, activated: FEATURE_LEVEL },
      cluster: view.cluster,
    });
  }

  #domainsEvent(): Event {
    return event({
      t: 'DomainsObserved',
      domains: this.#controlPlane.domains().map(domainFrame),
    });
  }
}

function event(body: ServerBody): Event {
  return { kind: body.t, frame: encodeServerFrame({ body }) };
}

function leadershipFrame({ kind, node }: LeadershipView): Leadership {
  switch (kind) {
    case 'serving':
      return { t: 'LeaderIsServingNode', node };
    case 'remote':
      return { t: 'LeaderIsRemote', node };
    case 'unknown':
      return { t: 'LeaderUnknown' };
  }
}
