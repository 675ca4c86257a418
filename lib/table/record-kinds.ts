export type MenuKind = 'menuProduct' | 'menuCategory';

/** The kinds with rows in collections. */
export type LoggedKind = MenuKind | 'cmsEntry';

/** The kinds with look-ups by id alone. */
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
