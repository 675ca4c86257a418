import type { Principal } from '#lib/domain/principal.ts';

/** What a request may see; every projection of stored data asks for one, so that nothing is shown by default. */
export interface Visibility {
  readonly hiddenFields: boolean;
  readonly products: boolean;
  readonly unpublishedProducts: boolean;
}

/** Hidden fields need the right and the wish to see them (lib/spec/decisions.md section 3). */
export const visibilityOf = ({ permissions }: Principal, includeHidden: boolean): Visibility => ({
  hiddenFields: includeHidden && permissions.has('cms:entry:read-hidden'),
  products: permissions.has('menu:product:read'),
  unpublishedProducts: permissions.has('menu:product:read') && permissions.has('menu:product:read-unpublished'),
});

/** What `cmsData` shows: visible fields, and of relations only the ids. */
export const visibleToAll: Visibility = { hiddenFields: false, products: false, unpublishedProducts: false };
