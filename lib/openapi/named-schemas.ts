import type * as z from 'zod/mini';
import { EntryView } from '#lib/cms/entry-view.ts';
import { EntryValues } from '#lib/domain/cms-entry.ts';
import { FormView } from '#lib/domain/form.ts';
import { SubmittedAnswers } from '#lib/domain/form-answers.ts';
import { FormField, Validations } from '#lib/domain/form-field.ts';
import { Image } from '#lib/domain/image.ts';
import { Localized } from '#lib/domain/localized.ts';
import { NutritionFacts } from '#lib/domain/nutrition-facts.ts';
import { OptionSet } from '#lib/domain/option-set.ts';
import { PriceOption } from '#lib/domain/price-option.ts';
import { SelectOption } from '#lib/domain/select-option.ts';
import { UploadedFile } from '#lib/domain/uploaded-file.ts';
import { CategoryView, ProductView } from '#lib/menu/menu-views.ts';
import { Pagination } from '#lib/menu/pagination.ts';

/** The schemas that are components of the document. */
export const namedSchemas = {
  LocalizedText: Localized,
  Image,
  PriceOption,
  OptionSet,
  NutritionFacts,
  Product: ProductView,
  Category: CategoryView,
  Pagination,
  Entry: EntryView,
  EntryValues,
  SelectOption,
  Validations,
  FormField,
  Form: FormView,
  FormAnswers: SubmittedAnswers,
  UploadedFile,
} as const satisfies Readonly<Record<string, z.ZodMiniType>>;

export type SchemaName = keyof typeof namedSchemas;

/** The component name of a schema, if it has one. */
export const nameOf = (schema: z.ZodMiniType): SchemaName | undefined =>
  (Object.keys(namedSchemas) as SchemaName[]).find((name) => namedSchemas[name] === schema);
