import { call } from './call.ts';
import { openWorkspace } from './workspace.ts';

/** The guests of the one table. */
export const ids = Array.from({ length: 6 }, (_, index) => `guest_${index}`);
export const friendField = {
  key: 'friend',
  name: { en: 'Friend' },
  type: 'relation',
  relation: { to: 'cms:guests', many: false },
};
const label = { key: 'label', name: { en: 'Label' }, type: 'text' };
const guests = { id: 'guests', name: { en: 'Guests' }, fields: [label, friendField] };
const loners = { id: 'loners', name: { en: 'Loners' }, fields: [label] };

export function guestsCalled(text: string) {
  return ids.map((id, index) => ({
    id,
    modelId: 'guests',
    values: { label: `${text} ${index}`, friend: ids[index - 1] ?? null },
  }));
}

export const tables = '/api/public/cms/tables';
export const guestsQuery = 'fields=guests(label,friend(label))';

/** A kitchen with a database of guests. Each guest is a friend of the previous one. */
export async function openGuests() {
  const kitchen = await openWorkspace('kitchen', ({ cms }) => {
    const many = {
      key: 'guests',
      name: { en: 'Guests' },
      type: 'relation',
      relation: { to: 'cms:guests', many: true },
    };
    cms.models.push(guests, loners, { id: 'tables', name: { en: 'Tables' }, fields: [many] });
    cms.entries.push(...guestsCalled('before'), { id: 'table', modelId: 'tables', values: { guests: ids } });
    cms.entries.push({ id: 'loner', modelId: 'loners', values: { label: 'before' } });
  });
  const { keys } = kitchen;

  async function labels(path = `${tables}/list?${guestsQuery}`): Promise<string[]> {
    const { json } = await call(`GET ${path}`, { key: keys.reader });
    return [json].flat()[0].guests.map((guest: { label: string }) => guest.label);
  }

  async function warm(): Promise<void> {
    for (let times = 0; times < 4; times++) await Promise.all([labels(), labels(`${tables}/table?${guestsQuery}`)]);
  }

  const rename = (id: string, text: string) =>
    call(`PATCH /api/public/cms/guests/${id}?fields=id`, { key: keys.chief, body: { values: { label: text } } });

  return { ...kitchen, labels, warm, rename };
}
