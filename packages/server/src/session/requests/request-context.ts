import type { ControlPlane } from '../../control-plane/control-plane.js';
import type { Logger } from '../../logging/logger.js';
import type { SessionView } from '../session-view.js';

/** What requests of one session are served with. */
export interface RequestContext {
  readonly controlPlane: ControlPlane;
  readonly view: SessionView;
  readonly logger: Logger;
}
