/** The paths of the area's screens. */
export const contentPaths = {
  databases: '/content',
  deleted: '/content/deleted',
  newDatabase: '/content/databases/new',
  database: (modelId: string) => `/content/databases/edit/${modelId}`,
  entries: (modelId: string) => `/content/entries/${modelId}`,
  newEntry: (modelId: string) => `/content/entries/${modelId}/new`,
  entry: (modelId: string, id: string) => `/content/entries/${modelId}/edit/${id}`,
};

/** The path of a record that refers to a database, such as `cms-entries/chefs/chef_1`. */
export function pathOfReferrer(path: string): string | undefined {
  const [kind, modelId, id] = path.split('/');
  return kind === 'cms-entries' && modelId !== undefined && id !== undefined
    ? contentPaths.entry(modelId, id)
    : undefined;
}
