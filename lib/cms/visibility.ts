import type { Principal } from '#lib/domain/access/principal.ts';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';

/** The stored data that a request may see. Every projection requires a visibility, so nothing is shown by default. */
export interface Visibility {
  readonly hiddenFields: boolean;
  /** Whether unpublished entries exist for the caller. They need a permission. */
  readonly drafts: boolean;
  readonly products: boolean;
  readonly unpublishedProducts: boolean;
}

/** A caller sees hidden fields only with the permission, and only on request (lib/spec/decisions.md section 3). */
export const visibilityOf = ({ permissions }: Principal, includeHidden: boolean): Visibility => ({
  hiddenFields: includeHidden && permissions.has('cms:entry:read-hidden'),
  drafts: permissions.has('cms:entry:read-unpublished'),
  products: permissions.has('menu:product:read'),
  unpublishedProducts: permissions.has('menu:product:read') && permissions.has('menu:product:read-unpublished'),
});

/** Whether an entry exists for a caller (lib/spec/additions.md section 1). */
export const isVisible = ({ published }: Pick<StoredEntry, 'published'>, { drafts }: Pick<Visibility, 'drafts'>) =>
  published || drafts;

export const visibleFields = (
  { fields }: Model,
  { hiddenFields }: Pick<Visibility, 'hiddenFields'>,
): readonly Field[] => fields.filter(({ hidden }) => !hidden || hiddenFields);
