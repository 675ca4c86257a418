export interface ListedCurrency {
  /** In ISO 4217. */
  readonly code: string;
  /** In the language of the console. */
  readonly name: string;
}

/** The currencies that the browser can name, by name. */
export function listedCurrencies(locale: string): readonly ListedCurrency[] {
  const names = new Intl.DisplayNames([locale], { type: 'currency' });
  const { compare } = new Intl.Collator(locale);
  return Intl.supportedValuesOf('currency')
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((currency, other) => compare(currency.name, other.name));
}
