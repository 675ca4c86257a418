import type { Permission } from './access/permission.ts';

/** A record that prevents a change of another one, because it refers to it. */
export interface Referrer {
  readonly kind: 'cmsEntry' | 'menuCategory' | 'menuProduct' | 'form' | 'formResponse' | 'conversation';
  /** For an entry `modelId/id`. */
  readonly id: string;
  /** The permissions without which a caller who may read the kind does not see this record, or that it refers. */
  readonly needs?: readonly Permission[];
}

/** The permissions to see an entry, or a value of it. */
export const needsOfEntry = (entry: { readonly isDraft: boolean; readonly isHidden?: boolean }): Permission[] => [
  ...(entry.isDraft ? (['cms:entry:read-unpublished'] as const) : []),
  ...(entry.isHidden ? (['cms:entry:read-hidden'] as const) : []),
];
