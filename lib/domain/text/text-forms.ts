import * as z from 'zod/mini';
import { emailAddress, emailPiece } from './email-address.ts';
import { phoneNumber } from './phone-number.ts';
import { typedText } from './typed-text.ts';
import { imageAddress, webAddress, webAddressPiece } from './web-address.ts';

/** The form of a text that is an address or a number. */
export interface TextForm {
  /** The text in stored form, or undefined if it has another form. */
  readonly read: (text: string) => string | undefined;
  /** A part of such a text as stored texts have it. */
  readonly piece?: (text: string) => string;
  /** The message for a text in another form. */
  readonly message: string;
}

/** The forms of CMS values, form answers and members of records (lib/spec/additions.md section 9). */
export const textForms = {
  email: {
    read: emailAddress,
    piece: emailPiece,
    message: 'Must be an e-mail address such as lina@example.com.',
  },
  url: {
    read: webAddress,
    piece: webAddressPiece,
    message: 'Must be a web address such as https://example.com/menu.',
  },
  image: { read: imageAddress, message: 'Must be an http or https address, or a path such as /images/1.png.' },
  phone: {
    read: phoneNumber,
    piece: typedText,
    message: 'Must be a phone number such as +966 50 000 0000, with at least 5 digits.',
  },
} as const satisfies Record<string, TextForm>;

/** A text of a form or null, in a record. A blank text is none. */
export const inFormOrNull = ({ read, message }: TextForm, text: z.ZodMiniType<string, string> = z.string()) =>
  z._default(
    z.nullable(text).check(
      z.refine((value) => !value?.trim() || read(value) !== undefined, message),
      z.overwrite((value) => read(value ?? '') ?? null),
    ),
    null,
  );

/** The checks of a string of this form; it is stored in stored form. */
export const inForm = ({ read, message }: TextForm) =>
  [
    z.refine<string>((text) => read(text) !== undefined, message),
    z.overwrite<string>((text) => read(text) ?? text),
  ] as const;
