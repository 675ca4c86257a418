const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  ENOTFILE: 'it is not a regular file; write it to one first',
  EACCES: 'its permissions do not allow it',
  ERR_FS_FILE_TOO_LARGE: 'it is too large for the .json encoding; write it as .ndjson',
  ERR_STRING_TOO_LONG: 'it is too large for the .json encoding; write it as .ndjson',
};

/** Why a file cannot be read, as the end of a sentence. */
export const whyUnreadable = ({ code = '', message }: NodeJS.ErrnoException): string => reasons[code] ?? message;
