/**
 * What marks an item as changed through the service. An import writes its items without the mark, so a record has it
 * exactly when its last change was none of an import.
 */
export const editedNow = (): { readonly editedAt: string } => ({ editedAt: new Date().toISOString() });
