import { expect, test } from 'vitest';
import { NodeControlPlane } from '../../src/control-plane/node-control-plane.ts';
import { openControlNode } from '../support/control-node.ts';

const ADMITTED = { isAdmitted: true };
const STAYING = { isStaying: true };

test('CL-102: a node that recovers is ready, but not admitted; a stop changes only what asks', async () => {
  const { context, executor, dataPlane } = await openControlNode();
  const plane = new NodeControlPlane(context, executor, dataPlane);
  expect([plane.unreadyReason(), plane.unreadyReason(STAYING)]).toEqual([null, null]);
  expect(plane.unreadyReason(ADMITTED)).toBe('the node is starting');
  plane.setReady();
  expect(plane.unreadyReason({ ...ADMITTED, ...STAYING })).toBeNull();
  plane.setTerminating();
  expect([plane.unreadyReason(), plane.unreadyReason(ADMITTED)]).toEqual([null, null]);
  expect(plane.unreadyReason(STAYING)).toBe('the node is stopping');
  expect(plane.unreadyReason({ ...ADMITTED, ...STAYING })).toBe('the node is stopping');
});
