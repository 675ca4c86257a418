import type { FieldType } from '#lib/domain/cms/cms-model.ts';
import type { contentTexts } from './texts.ts';

type Texts = (typeof contentTexts)['ar'];

/** Every type of a field with its name, in the order of a menu of types. */
export const typeNames = (t: Texts): Readonly<Record<FieldType, string>> => ({
  text: t.typeText,
  longText: t.typeLongText,
  richText: t.typeRichText,
  number: t.typeNumber,
  boolean: t.typeBoolean,
  date: t.typeDate,
  datetime: t.typeDatetime,
  select: t.typeSelect,
  multiSelect: t.typeMultiSelect,
  media: t.typeMedia,
  relation: t.typeRelation,
  email: t.typeEmail,
  url: t.typeUrl,
  phone: t.typePhone,
  json: t.typeJson,
});
