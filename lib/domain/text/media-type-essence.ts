/** A media type in lower case without parameters, or an empty string. */
export const essenceOf = (mediaType = ''): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
