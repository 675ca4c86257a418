import { isArabic } from '#lib/domain/text/language-tag.ts';

/** The fixed words of a mail about a form response. */
const english = {
  yes: 'Yes',
  no: 'No',
  /** @param receivedAt RFC 3339 */
  origin: (responseId: string, receivedAt: string) => `Response ${responseId}, received ${receivedAt}`,
  /** @param characters the length of the whole answer */
  cut: (characters: number) =>
    `[Cut: the whole answer has ${digits(characters)} characters and is stored with the response.]`,
};

export type Words = Readonly<typeof english>;

const arabic: Words = {
  yes: 'نعم',
  no: 'لا',
  origin: (responseId, receivedAt) => `الرد ${responseId}، وصل في ${receivedAt}`,
  cut: (characters) => `[مقتطع: عدد أحرف الإجابة كاملةً ${digits(characters)}، وهي محفوظة مع الرد.]`,
};

const digits = (count: number): string => count.toLocaleString('en');

/** @param language a language tag, e.g. `ar-SA`; all but Arabic becomes English */
export const wordsIn = (language: string | undefined): Words => (isArabic(language ?? '') ? arabic : english);
