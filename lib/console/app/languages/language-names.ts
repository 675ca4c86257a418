/** @returns a function that names a language in the language of `locale`. It returns an unknown code unchanged */
export function languageNames(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames([locale], { type: 'language' });
  return (code) => {
    try {
      return names.of(code) ?? code;
    } catch {
      // The service stores some codes that no standard has, such as `en-GB-GB`.
      return code;
    }
  };
}
