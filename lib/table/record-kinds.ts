import type { Kind } from '#lib/kinds/kinds.ts';

export type MenuKind = 'menuProduct' | 'menuCategory';

/** The kinds with rows in collections, and `access` for an API key or a member. */
export type LoggedKind = MenuKind | 'cmsEntry' | 'access';

/** The kinds whose records are found by id (access pattern W2). */
export type RecordKind = Exclude<Kind, 'workspace' | 'cmsEntry'>;

/** The kinds whose records readers no longer see when their time is over (retention.ts). */
export type ExpiringKind = Extract<RecordKind, 'formResponse' | 'notification' | 'conversation'>;
