/** Characters that a URL would drop or read as its syntax: ASCII other than letters, digits, `.` and `-`; invisible ones. */
const noHost = /[\0-,/:-@[-`{-\x7f\p{C}\p{Z}\p{DI}]/u;

/**
 * The ASCII form of a host name in any script, as browsers make it (UTS 46): in lower case, its labels in Punycode. A
 * part of a name may be given.
 * @returns undefined for a text that is no part of a host name
 */
export const asciiHost = (name: string): string | undefined =>
  noHost.test(name) ? undefined : URL.parse(`http://${name}`)?.hostname;

/** Whether a host in ASCII has at least two labels and is no address of a machine. */
export function isHostName(host: string): boolean {
  const labels = host.split('.');
  const hasName = labels.length >= 2 && !/^\d+$/.test(labels.at(-1) ?? '');
  const isWellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return host.length <= 253 && hasName && isWellFormed;
}
