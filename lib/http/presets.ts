// Parts of declarations that many endpoints share, to spread into theirs.

/** Management: keys and members, each with the permissions. */
export const forManagement = {
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  memberPermission: 'ifPresent',
} as const;

export const forConversations = { keyIn: ['bearer', 'x-api-key'], callers: ['key', 'session'] } as const;

export const forVisitors = { keyIn: ['bearer', 'x-api-key'], callers: ['key', 'session', 'visitor'] } as const;

/** The members of any workspace. Sessions of people without a workspace cannot use the routes. */
export const forSessions = { keyIn: [], callers: ['session'], permissions: [] } as const;

export const forPeople = { keyIn: [], callers: ['session', 'person'], permissions: [] } as const;

/** Public routes, which use `publicApi`. */
export const forEveryone = { keyIn: [], permissions: [] } as const;

/** What a function uses that writes records of managed kinds with their history. */
export const writesRecords = [
  'table:read',
  'table:update',
  'table:put',
  'table:transact',
  'table:remove',
  'files:history-write',
] as const;
