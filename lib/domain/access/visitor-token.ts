export const visitorTokenPrefix = 'wst_';
const pattern = /^wst_[0-9A-Za-z]{43}$/;

/** True if a bearer credential has the prefix of visitor tokens (lib/spec/additions.md section 4). */
export const isVisitorToken = (credential: string): boolean => credential.startsWith(visitorTokenPrefix);

export const isWellFormedToken = (token: string): boolean => pattern.test(token);
