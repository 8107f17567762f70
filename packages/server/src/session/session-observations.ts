import { isDeepStrictEqual } from 'node:util';
import type { DomainEntry } from '@nervix/protocol';
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

interface Observed<T> {
  readonly value: T;
  readonly event: Event;
}

/** Tells sessions who leads and which domains there are, first of all and whenever that changes. */
export class SessionObservations {
  readonly #controlPlane: Pick<ControlPlane, 'leadership' | 'domains'>;
  readonly #limits: FrameLimits;
  readonly #sessions: ReadonlySet<Session>;
  readonly #timer: NodeJS.Timeout;
  /** As they were told last, with the events that tell them. */
  #leadership: Observed<LeadershipView> | undefined;
  #domains: Observed<readonly DomainEntry[]> | undefined;

  /** @param limits of what is sent */
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
      if (sessions.size === 0) return;
      this.#currentLeadership();
      this.#currentDomains();
    }, intervalMs);
    this.#timer.unref();
  }

  /** Sends a new session, which is none of the others yet, the two frames that it begins with. */
  greet(session: Session): void {
    this.#tell([session], this.#currentLeadership());
    this.#tell([session], this.#currentDomains());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Who leads; the sessions hear of it when it changed. */
  #currentLeadership(): Event {
    const view = this.#controlPlane.leadership();
    const known = this.#leadership;
    if (known !== undefined && isDeepStrictEqual(known.value, view)) return known.event;
    const told = leadershipEvent(view);
    this.#leadership = { value: view, event: told };
    this.#tell(this.#sessions, told);
    return told;
  }

  /** Which domains there are; the sessions hear of it when it changed. */
  #currentDomains(): Event {
    const domains = this.#controlPlane.domains();
    const known = this.#domains;
    if (known !== undefined && areListedAlike(known.value, domains)) return known.event;
    const told = event({ t: 'DomainsObserved', domains: domains.map(domainFrame) });
    this.#domains = { value: domains, event: told };
    this.#tell(this.#sessions, told);
    return told;
  }

  /** An event that no frame can hold is left out; the list can still be asked for. */
  #tell(sessions: Iterable<Session>, { kind, frame }: Event): void {
    if (frame.length > this.#limits.frameBytes) return;
    for (const session of sessions) session.observe(kind, frame);
  }
}

/** Whether frames list the domains alike. */
function areListedAlike(some: readonly DomainEntry[], others: readonly DomainEntry[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ domain, status, pace }, index) => {
    const other = others[index];
    if (other === undefined || domain !== other.domain || status !== other.status) return false;
    return isDeepStrictEqual(pace, other.pace);
  });
}

function leadershipEvent(view: LeadershipView): Event {
  return event({
    t: 'LeadershipObserved',
    leadership: leadershipFrame(view),
    // One level exists so far.
    feature_level: { session: FEATURE_LEVEL, node: FEATURE_LEVEL, activated: FEATURE_LEVEL },
    cluster: view.cluster,
  });
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
