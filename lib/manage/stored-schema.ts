import { cmsModel, workspace } from '#lib/kinds/schema.ts';
import { modelRules, workspaceRules } from '#lib/table/writer/schema-rules.ts';
import type { KindRules } from './managed-record.ts';

/** The kinds that make the schema by which all else is read. */
export const storedSchema = {
  cmsModel: { ...cmsModel, storage: modelRules },
  workspace: { ...workspace, storage: workspaceRules },
} satisfies KindRules;
