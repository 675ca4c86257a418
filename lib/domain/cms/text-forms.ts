import { isEmailAddress } from '../text/email-address.ts';
import { isPhoneNumber } from '../text/phone-number.ts';
import { isWebAddress } from '../text/web-address.ts';

/** The form of a text, for fields whose values are trimmed texts of one form. */
export interface TextForm {
  /** Decides about a trimmed text. */
  readonly isRight: (text: string) => boolean;
  /** The message for a text that is not in this form. */
  readonly message: string;
}

/** By the type of the field (lib/spec/decisions.md section 3). */
export const textForms = {
  email: { isRight: isEmailAddress, message: 'Must be an e-mail address such as lina@example.com.' },
  url: { isRight: isWebAddress, message: 'Must be a web address such as https://example.com/menu.' },
  phone: { isRight: isPhoneNumber, message: 'Must be a phone number: 5 to 30 digits, spaces and + - ( ).' },
} as const satisfies Record<string, TextForm>;
