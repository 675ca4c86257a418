import { isArabic } from '#lib/domain/text/language-tag.ts';
/** The fixed words of a mail about a form response. */
export interface Words {
  readonly yes: string;
  readonly no: string;
  /** @param receivedAt RFC 3339 */
  readonly origin: (responseId: string, receivedAt: string) => string;
  /** @param characters the length of the whole answer */
  readonly cut: (characters: number) => string;
}

const english: Words = {
  yes: 'Yes',
  no: 'No',
  origin: (responseId, receivedAt) => `Response ${responseId}, received ${receivedAt}`,
  cut: (characters) => `[Cut: the whole answer has ${digits(characters)} characters and is stored with the response.]`,
};

const arabic: Words = {
  yes: 'نعم',
  no: 'لا',
  origin: (responseId, receivedAt) => `الرد ${responseId}، وصل في ${receivedAt}`,
  cut: (characters) => `[مقتطع: عدد أحرف الإجابة كاملةً ${digits(characters)}، وهي محفوظة مع الرد.]`,
};

const digits = (count: number): string => count.toLocaleString('en');

/** @param language a language tag, e.g. `ar-SA`; all but Arabic becomes English */
export const wordsIn = (language: string | undefined): Words => (isArabic(language ?? '') ? arabic : english);
