import * as z from 'zod/mini';
import { RecordVersion } from '#lib/domain/record-version.ts';
import type { RouteParts, Routes } from '#lib/http/declaration.ts';
import type { RequiredPermissions } from './define-kind.ts';
import { listParameters, recordPage, viewOf, withArticle } from './kind-endpoints.ts';
import { historyKinds, kindOf, type ManagedKind, managed } from './kinds.ts';

/** The routes about the versions of records: one for each kind with history. The workspace has no id. */
export const routesOfHistory = (part: HistoryPart): Routes =>
  Object.fromEntries(
    historyKinds.map((kind): [string, RouteParts] => {
      const { path, noun, idPath = '{id}' } = managed(kind);
      const isWorkspace = kind === 'workspace';
      const parts = {
        path: ['/api/v1/manage', path, ...(isWorkspace ? [] : [idPath]), historyPaths[part]].join('/'),
        summary: historySummaries[part](withArticle(noun)),
        operation: `manage-${path}-${part}`,
        ...historyParts(part, kind),
      };
      return [`${path}/${part}`, parts];
    }),
  );

/** The paths of the kinds whose deleted records are listed, and the permissions of which one is needed. */
export const deletedKinds = historyKinds.filter((kind) => kind !== 'workspace').map((kind) => managed(kind).path);
export const readDeleted = [...new Set(historyKinds.flatMap((kind) => managed(kind).verbs.get?.permissions ?? []))];

export type HistoryPart = 'versions' | 'version' | 'restore';

const historyPaths: Readonly<Record<HistoryPart, string>> = {
  versions: 'versions',
  version: 'versions/{version}',
  restore: 'restore',
};

const historySummaries: Readonly<Record<HistoryPart, (noun: string) => string>> = {
  versions: (noun) => `List the versions of ${noun}.`,
  version: (noun) => `Get a version of ${noun}.`,
  restore: (noun) => `Restore a version of ${noun}.`,
};

/** The workspace is read and changed with the permissions of its own functions. */
const ofWorkspace: Readonly<Record<'get' | 'replace', RequiredPermissions>> = {
  get: { permissions: ['workspace:settings:read'] },
  replace: { permissions: ['workspace:settings:read', 'workspace:settings:update'] },
};

type HistoryParts = Pick<RouteParts, 'permissions' | 'permissionsNeeded' | 'query' | 'response'>;

function historyParts(part: HistoryPart, kind: ManagedKind): HistoryParts {
  const verb = part === 'restore' ? 'replace' : 'get';
  const needs = managed(kind).verbs[verb] ?? ofWorkspace[verb];
  if (part !== 'versions') return { ...needs, response: viewOf(kindOf(kind)) };
  const { limit, cursor } = listParameters.shape;
  return { ...needs, query: z.object({ limit, cursor }), response: recordPage(RecordVersion) };
}
