import { accessKinds } from './access.ts';
import { cmsKinds } from './cms.ts';
import type { KindDeclaration } from './define-kind.ts';
import { formKinds, responseKinds } from './forms.ts';
import { menuKinds } from './menu.ts';
import { messagingKinds } from './messaging.ts';
import { webhookKinds } from './webhooks.ts';
import { workspaceKinds } from './workspace.ts';

/**
 * The kinds of records of a workspace by their names in documents (lib/spec/workspace-document.md section 4), in the
 * order of exports. Routes, permissions, checks, import, export, the API description and the client are made from them.
 */
export const declaredKinds = {
  ...workspaceKinds,
  ...accessKinds,
  ...cmsKinds,
  ...menuKinds,
  ...formKinds,
  ...messagingKinds,
  ...responseKinds,
  ...webhookKinds,
} as const satisfies Readonly<Record<string, KindDeclaration>>;
