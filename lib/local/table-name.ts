/** The table in the embedded engine. */
export const tableName = 'workspace';
