import type { FormAnswer } from '../tool-answers.ts';
import type { Phrases } from './phrases.ts';

/** Which form to use, and what it cannot be sent without. */
export function answerFromForm({ title, fields }: FormAnswer, phrases: Phrases): string {
  const required = fields.filter(({ required }) => required);
  const asked = (required.length > 0 ? required : fields).map((field) => field.title.replace(/[.:?؟]+$/, ''));
  return phrases.form(title, asked.join(phrases.comma));
}
