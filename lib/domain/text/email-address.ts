const localPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const labelPattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** The length of the longest address. */
export const emailCharactersMax = 254;

/**
 * Whether a text is an e-mail address, in time linear in its length (lib/spec/decisions.md section 3). Only ASCII: mail
 * to other addresses cannot be sent. The domain needs at least two labels.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > emailCharactersMax) return false;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64) return false;
  const labels = text.slice(at + 1).split('.');
  const top = labels.at(-1) ?? '';
  return (
    localPattern.test(text.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((label) => labelPattern.test(label)) &&
    !/^\d+$/.test(top)
  );
}
