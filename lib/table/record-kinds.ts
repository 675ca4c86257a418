export type MenuKind = 'menuProduct' | 'menuCategory';

/** The kinds whose records make the rows of collections. */
export type LoggedKind = MenuKind | 'cmsEntry';

/** The kinds whose records are found by their id alone. */
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
