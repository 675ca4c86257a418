import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openSignIns } from '#test/support/sign-in.ts';
import { signInPerson } from '#test/support/signed-in.ts';

await openSignIns();
const path = 'GET /api/v1/session/memberships';

it('the list of workspaces has those of active members alone, by name, and needs a session', async () => {
  const mona = await signInPerson('mona@example.com');
  expect((await mona.call(path)).json).toEqual({
    email: 'mona@example.com',
    data: [
      { workspaceId: 'ws_apple', name: 'Apple', pending: false, invitedBy: null },
      { workspaceId: 'ws_pear', name: 'Pear', pending: false, invitedBy: null },
    ],
  });
  const dana = await signInPerson('dana@example.com');
  expect((await dana.call(path)).json.data).toEqual([]);
  expect((await call(path)).json.code).toBe('missing_session');
});
