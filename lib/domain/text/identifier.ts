import * as z from 'zod/mini';
import { languagePattern } from './language-tag.ts';

const recordIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,128}$/;

/** The id of a record, stored unchanged (lib/spec/workspace-document.md section 3; lib/spec/decisions.md section 2). */
export const RecordId = z
  .string()
  .check(z.regex(recordIdPattern, 'Must be 1 to 128 of the characters A-Z a-z 0-9 _ . : - and neither "." nor "..".'));

/** Whether a string has the form of a record id. No record has another (lib/spec/decisions.md section 2). */
export const isRecordId = (text: string): boolean => recordIdPattern.test(text);

/** A language such as `en` or `en-GB`, as it is sent. Its stored form has the spelling of the workspace. */
export const LanguageCode = z.string().check(z.regex(languagePattern, 'Must be a language such as en or en-GB.'));
