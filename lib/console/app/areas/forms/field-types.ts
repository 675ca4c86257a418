import type { FormFieldType } from '#lib/domain/forms/form-field.ts';
import type { formsTexts } from './texts.ts';

type Texts = (typeof formsTexts)['ar'];

/** Every type of a field with its name, in the order of a menu of types. */
export const typeNames = (t: Texts): Readonly<Record<FormFieldType, string>> => ({
  TEXT: t.typeText,
  TEXTAREA: t.typeTextarea,
  EMAIL: t.typeEmail,
  PHONE: t.typePhone,
  NUMBER: t.typeNumber,
  RATING: t.typeRating,
  DATE: t.typeDate,
  TIME: t.typeTime,
  DATETIME: t.typeDatetime,
  SELECT: t.typeSelect,
  RADIO: t.typeRadio,
  MULTI_SELECT: t.typeMultiSelect,
  CHECKBOX: t.typeCheckbox,
  CONSENT: t.typeConsent,
  FILE: t.typeFile,
  URL: t.typeUrl,
  HIDDEN: t.typeHidden,
});
