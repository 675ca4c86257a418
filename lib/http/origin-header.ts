/** The header that the distribution adds to every request, over whatever the caller has sent under its name. */
export const originHeader = 'x-origin-verify';
