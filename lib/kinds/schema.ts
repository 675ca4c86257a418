import { Model, modelTexts } from '#lib/domain/cms/cms-model.ts';
import { Workspace } from '#lib/domain/workspace.ts';
import { crud, defineKind, edits } from './define-kind.ts';

/** One record, with separate functions. */
export const workspace = defineKind({
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

/** Has functions of its own to write, because a change takes longer. */
export const cmsModel = defineKind({
  documentPath: ['cms', 'models'],
  schema: Model,
  localized: modelTexts,
  events: { path: 'cms-models', actions: edits, read: ['cms:model:read'] },
  managed: {
    path: 'cms-models',
    noun: 'CMS database',
    label: { en: 'Database', ar: 'قاعدة بيانات' },
    verbs: crud('cms:model:read', 'cms:model:manage'),
    hasHistory: true,
    idPrefix: 'model_',
    words: { record: 'A CMS database as it is stored, with its fields in their order.' },
  },
});
