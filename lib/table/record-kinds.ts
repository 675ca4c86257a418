export type MenuKind = 'menuProduct' | 'menuCategory';

/** The kinds with rows in collections. */
export type LoggedKind = MenuKind | 'cmsEntry';

/** The kinds whose records are found by id (access pattern W2). */
export type RecordKind =
  | 'member'
  | 'apiKey'
  | 'menuCategory'
  | 'menuProduct'
  | 'form'
  | 'channel'
  | 'customer'
  | 'agent'
  | 'conversation'
  | 'message'
  | 'attachment'
  | 'formResponse'
  | 'notification';
