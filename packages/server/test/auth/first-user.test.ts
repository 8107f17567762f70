import { describe, expect, test } from 'vitest';
import { createFirstUser, type FirstUser } from '../../src/auth/first-user.ts';
import { type ControlNode, openControlNode } from '../support/control-node.ts';

/** Creates the first user and gives what was told of generated passwords. */
async function create(node: ControlNode, options: Partial<FirstUser> = {}) {
  const told: { user: string; password: string }[] = [];
  const onInitialPassword = (user: string, password: string): void => {
    told.push({ user, password });
  };
  await createFirstUser({ defaultUser: 'default', onInitialPassword, ...options }, node.context);
  return told;
}

describe('CL-116: the first start of an empty store', () => {
  test('creates the default user with a password that is told once', async () => {
    const node = await openControlNode();
    const told = await create(node);
    expect(told).toEqual([
      { user: 'default', password: expect.stringMatching(/^[A-Za-z0-9]{24}$/) },
    ]);
    const passwordHash = `hash of ${told[0]?.password}`;
    expect(node.state.user('default')).toMatchObject({ passwordHash });
    expect(node.logLines.join('')).not.toContain(told[0]?.password);
    expect(await create(await node.restart())).toEqual([]);
  });

  test('takes a password that is given, and tells none', async () => {
    const node = await openControlNode();
    const options = { defaultUser: 'ada', initDefaultUserPassword: 'chosen' };
    expect(await create(node, options)).toEqual([]);
    expect(node.state.user('ada')).toMatchObject({ passwordHash: 'hash of chosen' });
  });
});

test.each([{}, { initDefaultUserPassword: 'chosen' }])(
  'CL-116: a store that has a user gets no other one, with %j',
  async (password) => {
    const first = await openControlNode();
    await create(first);
    const node = await first.restart();
    const options = { defaultUser: 'intruder', ...password };
    expect(await create(node, options)).toEqual([]);
    expect(node.state.user('intruder')).toBeUndefined();
    expect(node.state.user('default')).toBeDefined();
    expect(node.logLines.join('')).not.toContain('default user created');
  },
);

test('CL-116: a store whose only user is another one than the default gets none either', async () => {
  const node = await openControlNode();
  await node.run("CREATE USER ada WITH PASSWORD 'right';", { domain: null });
  expect(await create(node)).toEqual([]);
  expect(node.state.user('default')).toBeUndefined();
});
