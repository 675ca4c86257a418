import type { ManagedKindName } from '#lib/domain/manage/managed-kinds.ts';
import { customerPage } from './lists/customer-page.ts';
import { attachmentPage, notificationPage, responsePage } from './lists/dated-pages.ts';
import { entryPage } from './lists/entry-page.ts';
import type { ReadPage } from './lists/list-query.ts';
import { categoryPage, productPage } from './lists/menu-page.ts';
import { modelPage, pageByName } from './lists/page-by-name.ts';

/** The source of the list of each kind. */
export const listedKinds: Readonly<Partial<Record<ManagedKindName, ReadPage>>> = {
  'cms-models': modelPage,
  'cms-entries': entryPage,
  'menu-categories': categoryPage,
  'menu-products': productPage,
  forms: pageByName('form'),
  'form-responses': responsePage,
  notifications: notificationPage,
  attachments: attachmentPage,
  agents: pageByName('agent'),
  channels: pageByName('channel'),
  customers: customerPage,
};
