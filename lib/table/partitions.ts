// The partition keys of keys.ts as IAM patterns, for the roles of functions.

/** The partition keys of workspaces, in the form of IAM. */
export const workspacePartitions = ['WORKSPACES'] as const;

/**
 * The partition keys of API keys and members, in the form of IAM. The roles of functions that do not manage
 * access deny every write to them (lib/infra/access.ts). `ACCESS` is not `W` because a pattern such as `W#*#member`
 * would also name the CMS database `member` of every workspace.
 */
export const accessPartitions = ['KEY#*', 'ACCESS#*', 'ADDRESS#*'] as const;

/** The partition keys of items that a sign-in changes: members, and the pointers from addresses to them. */
export const signInPartitions = ['ACCESS#*#member', 'ADDRESS#*'] as const;

/** The partition keys of sessions. The roles of functions that take no session deny even reads of them. */
export const sessionPartitions = ['SESSION#*'] as const;

/** The partition keys of visitors' tokens. */
export const tokenPartitions = ['TOKEN#*'] as const;

/** The partition keys of announced uploads, and of their files. */
export const uploadPartitions = ['UPLOAD#*', 'W#*#attachment', 'FILES#*'] as const;

/** The partition keys of public images, and of images that are announced or removed. */
export const mediaPartitions = ['MEDIA#*', 'MEDIA-UPLOAD#*'] as const;

/** The partition keys that the function for public images may read. */
export const publicMediaPartitions = ['MEDIA#*'] as const;

/** The partition keys of rate buckets. */
export const ratePartitions = ['RATE#*'] as const;

/** The partition keys of the last uses of API keys. */
export const keyUsePartitions = ['USED#*'] as const;

/** The partition keys of mail jobs. */
export const mailPartitions = ['MAIL#*', 'PARKED-MAIL'] as const;
