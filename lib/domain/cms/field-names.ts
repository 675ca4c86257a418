/** The properties of every entry besides its fields, in the order of responses (lib/spec/decisions.md section 3). */
export const systemFields = ['id', 'published', 'createdAt', 'updatedAt'] as const;

/** The types whose values can be localized (lib/spec/decisions.md section 3). */
export const textTypes: readonly string[] = ['text', 'longText', 'richText'];

/** The id of the related database, or undefined for a relation to products. */
export const relatedModelId = ({ to }: { readonly to: string }): string | undefined =>
  to === 'menu:product' ? undefined : to.slice('cms:'.length);
