import { readApi } from '#lib/http/read-api.ts';
import { personSessionOf } from '#lib/session/profile.ts';
import { type Membership, membershipsOf } from '#lib/table/access/people.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ table, principal }) => {
    const { person } = personSessionOf(principal);
    const { memberships, pending } = await membershipsOf(table, person);
    // Those to accept come first.
    const data = [...pending.map(viewOf(true)), ...memberships.map(viewOf(false))];
    return { body: { email: person.address, data } };
  },
});

const viewOf =
  (isPending: boolean) =>
  ({ workspace: { id, name }, invitedBy }: Membership) => ({
    workspaceId: id,
    name,
    pending: isPending,
    invitedBy: invitedBy ?? null,
  });
