/**
 * Marks an item as changed through the service. An import writes items without it. So a record has it only if its last
 * change was not an import.
 */
export const editedNow = (): { readonly editedAt: string } => ({ editedAt: new Date().toISOString() });
