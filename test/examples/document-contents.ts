import { Permission } from '#lib/domain/access/permission.ts';

/**
 * What build-workspace.js sends of a workspace document, each list in the order of its ids: without what comes from
 * the use of a service, and without what every workspace has of its own.
 * @param builderId the id of the key that has built it
 */
// biome-ignore lint/suspicious/noExplicitAny: the shape is that of a document.
export function contentsOf({ workspace, members, apiKeys, cms, menu, forms, messaging }: any, builderId: string) {
  return sorted({
    workspace: { ...workspace, id: undefined },
    members,
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
  if (Array.isArray(value) && value.every((one) => typeof one?.id === 'string')) {
    const nameOf = (one: { modelId?: string; id: string }) => `${one.modelId ?? ''}/${one.id}`;
    return value.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
}

/** A workspace with nothing but a key that may do everything. */
export const emptyWorkspace = (id: string, secret: string) => ({
  version: 1,
  workspace: { id, name: 'New', languages: ['en'], defaultLanguage: 'en', currency: null },
  apiKeys: [{ id: 'key_builder', name: 'Builder', secret, permissions: Permission.options }],
});
