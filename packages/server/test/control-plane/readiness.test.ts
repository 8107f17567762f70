import { expect, test, vi } from 'vitest';
import { NodeControlPlane } from '../../src/control-plane/node-control-plane.ts';
import { openControlNode } from '../support/control-node.ts';

const ADMITTED = { isAdmitted: true };
const STAYING = { isStaying: true };

test('CS-155 CL-102: a node that recovers is ready, but not admitted; a stop changes only what asks', async () => {
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

test('CS-155: a node is ready exactly while it knows a leader, whatever else it does', async () => {
  const { context, executor, dataPlane } = await openControlNode();
  const plane = new NodeControlPlane(context, executor, dataPlane);
  const status = context.log.status();
  const seen = vi.spyOn(context.log, 'status');
  for (const leader of [undefined, { nodeId: 'n7', storeId: 'ab'.repeat(16) }]) {
    seen.mockReturnValue({ ...status, leader });
    const reason = leader === undefined ? 'no leader is known' : null;
    expect(plane.unreadyReason()).toBe(reason);
    plane.setTerminating();
    expect(plane.unreadyReason()).toBe(reason);
  }
});
