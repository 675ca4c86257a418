import type { VersionedRecord } from '#lib/client/records.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import { inFormOrder } from '#lib/domain/forms/form-view.ts';
import { client } from '../../data/client.ts';
import type { RecordCalls } from '../../data/records.ts';
import type { ResponseQuery, ShownResponse } from './types.ts';

export const formKind = 'forms';
export const responseKind = 'form-responses';

const inOrder = ({ record, etag }: VersionedRecord): VersionedRecord => {
  const { fields } = record as unknown as Form;
  return { record: { ...record, fields: inFormOrder(fields) }, etag };
};

const forms: RecordCalls = client.manage.forms;

/** The forms, with their fields in the order in which they are shown. */
export const formCalls: RecordCalls = {
  list: (query) => forms.list(query),
  get: async (id) => inOrder(await forms.get(id)),
  create: async (record, options) => inOrder(await forms.create(record, options)),
  update: async (id, patch, options) => inOrder(await forms.update(id, patch, options)),
  delete: (id, options) => forms.delete(id, options),
};

/** All responses of a list, newest first, page by page. */
export async function* allResponses(query: ResponseQuery): AsyncGenerator<ShownResponse> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.manage.formResponses.list({ ...query, limit: 100, cursor });
    yield* page.data as unknown as readonly ShownResponse[];
    cursor = page.next;
  }
}

/** The maximum number of responses that are searched for answers to a field. */
const lookedThroughMax = 500;

/** The number of the newest responses with an answer to a field. */
export async function countAnswers(formId: string, ref: string): Promise<{ answers: number; isAll: boolean }> {
  let answers = 0;
  let seen = 0;
  for await (const response of allResponses({ formId })) {
    if (Object.hasOwn(response.answers, ref)) answers++;
    if (++seen === lookedThroughMax) return { answers, isAll: false };
  }
  return { answers, isAll: true };
}
