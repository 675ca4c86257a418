import { apiKey, member } from './access.ts';
import { cmsEntry, cmsModel } from './cms.ts';
import type { KindDeclaration } from './define-kind.ts';
import { form, formResponse } from './forms.ts';
import { menuCategory, menuProduct } from './menu.ts';
import { agent, attachment, channel, conversation, customer, message, notification } from './messaging.ts';
import { workspace } from './workspace.ts';

/**
 * The kinds of records of a workspace by their names in documents (lib/spec/workspace-document.md section 4), in the
 * order of documents. Routes, permissions, checks, import, export, the API description and the client are made from
 * them.
 */
export const declaredKinds = {
  workspace,
  member,
  apiKey,
  cmsModel,
  cmsEntry,
  menuCategory,
  menuProduct,
  form,
  channel,
  customer,
  agent,
  conversation,
  message,
  attachment,
  formResponse,
  notification,
} as const satisfies Readonly<Record<string, KindDeclaration>>;
