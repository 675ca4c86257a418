/** The distribution adds this header to every request, and replaces the caller's own. */
export const originHeader = 'x-origin-verify';
