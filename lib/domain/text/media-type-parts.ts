/** A media type in lower case without parameters, or an empty string. */
export const essenceOf = (mediaType = ''): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();

/** The name of a charset, which needs no quotes in a header (RFC 2978). */
export const charsetPattern = /^[A-Za-z0-9][A-Za-z0-9._:+-]{0,39}$/;
