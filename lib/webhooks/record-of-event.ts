import { keyRules, memberRules } from '#lib/access/access-rules.ts';
import { findMessage } from '#lib/conversations/message-answer.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { inFormOrder } from '#lib/domain/forms/form-view.ts';
import { categoryView } from '#lib/domain/menu/category-view.ts';
import type { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { productView } from '#lib/domain/menu/product-view.ts';
import { HttpError } from '#lib/http/errors.ts';
import { refusalOf } from '#lib/http/permissions.ts';
import type { Managed } from '#lib/kinds/define-kind.ts';
import type { ManagedKind } from '#lib/kinds/kinds.ts';
import { servedAt } from '#lib/manage/managed-record.ts';
import { readRules } from '#lib/manage/read-rules.ts';
import { responsesWithFiles } from '#lib/manage/response-files.ts';
import { findRecord } from '#lib/manage/shown-record.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { readMenu } from '#lib/table/menu/menu-index.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import type { Table } from '#lib/table/table.ts';

const rules = {
  ...readRules,
  apiKey: keyRules,
  member: memberRules,
};

/**
 * The record of an event as its reader may see it: as management shows it, or as the public endpoints do, if the reader
 * may use only those. It is null if the record is gone.
 * @throws Unavailable
 */
export async function recordOfEvent(
  table: Table,
  principal: Principal,
  { kind, recordId }: { readonly kind: string; readonly recordId: string },
): Promise<object | null> {
  if (kind === 'conversations') return (await new Conversations(table, principal).find(recordId)) ?? null;
  if (kind === 'messages') return messageOf(table, principal, recordId);
  const served = servedAt({ rules }, kind);
  if (!served) return null;
  const found = await findRecord({ table, principal }, { ...served, id: recordId }).catch(goneWithDatabase);
  if (!found) return null;
  if (!mayManage(principal, served.rules.managed)) return publicRecord(table, principal, served.kind, found.record);
  if (served.kind !== 'formResponse') return found.record;
  const [shown = null] = await responsesWithFiles({ table, principal }, [found.record as FormResponse]);
  return shown;
}

function goneWithDatabase(error: unknown): undefined {
  if (!(error instanceof HttpError && error.statusCode === 404)) throw error;
}

/** Whether the reader may read records of a kind by management. */
const mayManage = (principal: Principal, { verbs }: Managed): boolean =>
  !refusalOf({ permissions: [], ...verbs.get, memberPermission: 'ifPresent' }, principal);

/** The kinds that have a public shape; a kind without one is read by management alone. */
async function publicRecord(
  table: Table,
  principal: Principal,
  kind: ManagedKind,
  record: object,
): Promise<object | null> {
  if (kind === 'menuCategory') return categoryView(record as MenuCategory);
  if (kind === 'form') {
    const { id, slug, title, fields } = record as Form;
    return { id, slug, title, fields: inFormOrder(fields) };
  }
  if (kind !== 'menuProduct') return null;
  const product = record as MenuProduct;
  if (!product.published && !effectivePermissions(principal).has('menu:product:read-unpublished')) return null;
  return readMenu(table, principal, async (index) => {
    const { categories, products } = lookupsOf(index);
    const soldout = products.get(product.id)?.soldout ?? product.soldout;
    const suggestions = product.suggestions.flatMap((id) => products.get(id) ?? []);
    return productView({ ...product, soldout }, { category: categories.get(product.categoryId), suggestions });
  });
}

async function messageOf(table: Table, principal: Principal, recordId: string): Promise<object | null> {
  const [conversationId = '', id = ''] = recordId.split('/');
  return (await findMessage(table, principal, conversationId, id)) ?? null;
}
