const prefix = 'wst_';
const pattern = /^wst_[0-9A-Za-z]{43}$/;

/** Whether a bearer credential is meant as a visitor's token (lib/spec/additions.md section 4). */
export const isVisitorToken = (credential: string): boolean => credential.startsWith(prefix);

/** Whether a visitor's token may have been made here. */
export const isWellFormedToken = (token: string): boolean => pattern.test(token);

/** @param random 43 base62 characters of a cryptographic source */
export const visitorTokenOf = (random: string): string => prefix + random;
