import { Permission } from '#lib/domain/access/permission.ts';

/**
 * The records of a workspace document that build-workspace.js sends, each list in the order of its ids. It leaves out
 * what comes from the use of a service, such as the consent of members, and what every workspace has separately.
 * @param builderId the id of the key that has built the workspace
 */
// biome-ignore lint/suspicious/noExplicitAny: a document has this shape.
export function contentsOf({ workspace, members, apiKeys, cms, menu, forms, messaging }: any, builderId: string) {
  return sorted({
    workspace: { ...workspace, id: undefined },
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    members: members.map(({ acceptedAt: _, ...member }: any) => member),
    apiKeys: apiKeys
      .filter(({ id }: { id: string }) => id !== builderId)
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      .map(({ secret: _, secretHash, ...key }: any) => key),
    cms,
    menu,
    forms,
    messaging: { channels: messaging.channels, customers: messaging.customers, agents: messaging.agents },
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value) && value.every((record) => typeof record?.id === 'string')) {
    const nameOf = (record: { modelId?: string; id: string }) => `${record.modelId ?? ''}/${record.id}`;
    return value.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
}

/** A workspace that contains only a key with all permissions. */
export const emptyWorkspace = (id: string, secret: string) => ({
  version: 1,
  workspace: { id, name: 'New', languages: ['en'], defaultLanguage: 'en', currency: null },
  apiKeys: [{ id: 'key_builder', name: 'Builder', secret, permissions: Permission.options }],
});
