import type { Form } from '#lib/domain/forms/form.ts';
import { HttpError } from '#lib/http/errors.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';

/** The frozen body of lib/spec/interface.md section 7. */
export const formNotFound = () => new HttpError(404, 'not_found', 'Form not found.', { isMessageAlone: true });

/** Finds a form, also a disabled one. @throws 404 with the frozen body */
export async function findForm(table: Table, scope: WorkspaceScope, slug: string): Promise<Form> {
  const form = await new Forms(table, scope).findBySlug(slug);
  if (!form) throw formNotFound();
  return form;
}
