import type { FormField } from '#lib/domain/forms/form-view.ts';
import { responsesAsCsv } from '#lib/domain/forms/responses-document.ts';
import type { ShownResponse } from './types.ts';

/** The start of a day in the browser's time zone, plus `days`. @returns undefined without a day */
export function startOfDay(day: string | null, days = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '')?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + days).toISOString();
}

/** The refs of answers in order of appearance, for responses without a form. */
export const refsIn = (responses: readonly Pick<ShownResponse, 'answers'>[]): readonly string[] => [
  ...new Set(responses.flatMap(({ answers }) => Object.keys(answers))),
];

/** A field for each ref, for a table of responses without a form. */
export const fieldsOfRefs = (refs: readonly string[]): readonly FormField[] =>
  refs.map((ref, index) => ({ id: ref, ref, title: {}, type: 'TEXT', order: index + 1, validations: {} }));

/** Responses as a CSV file for spreadsheets, in parts. */
export async function csvParts(
  fields: readonly FormField[],
  responses: AsyncIterable<ShownResponse> | readonly ShownResponse[],
): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of responsesAsCsv(fields, each(responses))) parts.push(part);
  return parts;
}

async function* each(responses: AsyncIterable<ShownResponse> | readonly ShownResponse[]) {
  yield* responses;
}
