import { accessKinds } from './access.ts';
import { cmsKinds } from './cms.ts';
import { conversationKinds } from './conversations.ts';
import type { KindDeclaration } from './define-kind.ts';
import { formKinds, notificationKinds } from './forms.ts';
import { menuKinds } from './menu.ts';
import { messagingKinds } from './messaging.ts';
import { receivedKinds } from './received.ts';
import { cmsModel, workspace } from './schema.ts';
import { webhook } from './webhooks.ts';

/**
 * The kinds of records of a workspace by their names in documents (lib/spec/workspace-document.md section 4), in the
 * order of exports. Import, export, lists, the API description and the client are made from them.
 */
export const declaredKinds = {
  workspace,
  ...accessKinds,
  cmsModel,
  ...cmsKinds,
  ...menuKinds,
  ...formKinds,
  ...messagingKinds,
  ...conversationKinds,
  ...receivedKinds,
  ...notificationKinds,
  webhook,
} as const satisfies Readonly<Record<string, KindDeclaration>>;
