import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#lib/client/api-error.ts';
import { errorText, faultText } from '#lib/console/app/data/error-text.ts';
import { conflictsInArabic, issuesInArabic, refusalsInArabic } from '#lib/console/app/texts/refusals.ts';
import { refusalKinds } from '#lib/openapi/refusals.ts';

const project = join(import.meta.dirname, '../..');
const sources = ['lib', 'functions']
  .flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.ts') && !path.startsWith('lib/console'))
  .map((path) => readFileSync(join(project, path), 'utf8'))
  .join('\n');
const thrown = [...sources.matchAll(/new HttpError\(\s*\d{3},\s*'(\w+)'/g)].map(([, code = '']) => code);
const refusals = [...new Set([...Object.keys(refusalKinds), ...thrown])];
/** The messages of the code `conflict`. */
const conflicts = [
  ...sources.matchAll(/(?:conflict\(|'conflict',|refused: |const addressMoved =)\s*['`]([^'`]+ [^'`]+)['`]/g),
].map(([, sentence = '']) => sentence.replace(/[$][{]header[}]/, 'Idempotency-Key'));
const latinWord = /[A-Za-z]{3,}/;

const refusal = (status: number, code: string, errors: object[] = []) =>
  new ApiError(status, { message: 'Words in English.', code, errors }, new Headers());

describe('in the Arabic console', () => {
  it('the test covers the codes of the service', () => {
    expect(thrown.length).toBeGreaterThan(15);
    expect(thrown).toContain('last_manager');
  });

  it.each(refusals)('the refusal %s has a text', (code) => {
    expect(Object.keys(refusalsInArabic)).toContain(code);
    const text = errorText(refusal(409, code), 'ar');
    expect(text).toMatch(/\p{Script=Arabic}/u);
    expect(text).not.toMatch(latinWord);
  });

  it('each reason of a conflict has a separate text', () => {
    expect(Object.keys(conflictsInArabic).sort()).toEqual([...new Set(conflicts)].sort());
    const texts = conflicts.map((message) =>
      errorText(new ApiError(409, { message, code: 'conflict', errors: [] }, new Headers()), 'ar'),
    );
    expect(texts).not.toContain(refusalsInArabic['conflict']);
    for (const text of texts) expect(text).not.toMatch(latinWord);
  });

  it.each(Object.keys(issuesInArabic))('the issue %s has a text, with a bound and without', (code) => {
    for (const message of ['name: Must be at most 20 characters.', 'name: Must be another value.']) {
      const text = faultText({ path: 'name', code, message }, 'ar');
      expect(text).toMatch(/\p{Script=Arabic}/u);
      expect(text).not.toMatch(latinWord);
      expect(text).not.toMatch(/[{}]/);
    }
  });

  it.each(['constructor', 'toString', 'something_new'])('the unknown code %s has a text', (code) => {
    expect(errorText(refusal(418, code), 'ar')).toBe('لم تقبل الخدمة هذا.');
    expect(faultText({ path: '', code, message: 'Words.' }, 'ar')).toBe('هذه القيمة غير صحيحة.');
  });

  it('a single issue is shown with its path, several at their fields', () => {
    const fault = { path: 'price', code: 'min', message: 'price: Must be at least 0.' };
    expect(errorText(refusal(400, 'validation_failed', [fault]), 'ar')).toBe('price: يجب ألا تقل القيمة عن 0.');
    expect(errorText(refusal(400, 'validation_failed', [fault, fault]), 'ar')).toBe(
      'بعض القيم غير صحيحة. تحقّق من الحقول.',
    );
  });
});
