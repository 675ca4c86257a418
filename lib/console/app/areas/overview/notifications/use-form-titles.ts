import type { Form } from '#lib/domain/forms/form.ts';
import { client } from '../../../data/client.ts';
import { useAllRecords } from '../../../data/records.ts';
import { useLocalized, useMay } from '../../../data/session-context.tsx';

/** The titles of the forms that the member may see, by id. */
export function useFormTitles(): ReadonlyMap<string, string> {
  const localized = useLocalized();
  const { data: forms = [] } = useAllRecords<Form>('forms', client.manage.forms, {}, useMay('forms:form:manage'));
  return new Map(forms.map(({ id, title, slug }) => [id, localized(title) || slug]));
}
