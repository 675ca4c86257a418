import type { Field } from '#lib/domain/cms/cms-model.ts';
import type { Members } from '../../editing/paths.ts';

/** An entry in the form of the management endpoints. */
export interface Entry {
  readonly id: string;
  readonly modelId: string;
  readonly published: boolean;
  readonly publishAt?: string | null;
  readonly unpublishAt?: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly values: Members;
}

/** A field during its editing. Members with defaults may be absent. */
export type DraftField = Partial<Field> & Pick<Field, 'key' | 'name' | 'type'>;
