import { Workspace } from '#lib/domain/workspace.ts';
import { defineKind } from './define-kind.ts';

/** One record, with separate functions. */
const workspace = defineKind({
  documentPath: ['workspace'],
  schema: Workspace,
  events: { path: 'workspace', actions: ['updated', 'imported'], read: ['workspace:settings:read'] },
  managed: {
    path: 'workspace',
    noun: 'workspace',
    label: { en: 'Workspace', ar: 'مساحة العمل' },
    verbs: {},
    hasOwnFunctions: true,
    hasHistory: true,
    idPrefix: '',
    words: { record: 'The workspace.' },
  },
});

export const workspaceKinds = { workspace };
