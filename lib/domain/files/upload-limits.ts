const megabyte = 1_048_576;

/** lib/spec/interface.md section 8 */
export const filesMax = 5;

/**
 * The largest multipart body over plain HTTP: five files of 25 MB and their multipart framing (lib/spec/decisions.md
 * section 1).
 */
export const uploadBytesMax = 130 * megabyte;

/** The largest multipart body that an event can carry (lib/spec/decisions.md section 1). */
export const eventUploadBytesMax = Math.floor(4.4 * megabyte);
