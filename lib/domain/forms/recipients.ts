/** The recipients of a mail: addresses without duplicates, ignoring case (lib/spec/decisions.md section 2). */
export function recipientsOf(emails: readonly string[]): string[] {
  const spellings = new Map<string, string>();
  for (const email of emails) if (!spellings.has(email.toLowerCase())) spellings.set(email.toLowerCase(), email);
  return [...spellings.values()];
}
