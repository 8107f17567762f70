import type { FrameLimits } from '@nervix/protocol/session';
import type { ControlPlane } from '../../control-plane/control-plane.js';
import type { Logger } from '../../logging/logger.js';
import type { SessionView } from '../session-view.js';
import type { SessionSubscriptions } from '../subscriptions/session-subscriptions.js';

/** What requests of one session are served with. */
export interface RequestContext {
  readonly controlPlane: ControlPlane;
  readonly view: SessionView;
  readonly subscriptions: SessionSubscriptions;
  /** Of what is sent. */
  readonly limits: FrameLimits;
  readonly logger: Logger;
}
