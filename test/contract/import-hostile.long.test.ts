import { beforeAll, expect, it } from '@jest/globals';
import { everyKind, newWorkspaceId } from '#test/support/every-kind.ts';
import { fc } from '#test/support/fast-check.ts';
import { noise } from '#test/support/noise.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, importFile } from '#test/support/world.ts';

beforeAll(openOwnTable);

/** Texts of about so many bytes: some shrink when they are compressed, some grow when they are folded or escaped. */
const text = fc
  .tuple(
    fc.constantFrom('a', 'é', 'ﷺ', 'ſ', '漢', '😀', '\u0000', '\u0001', '"', ' ', 'İ', 'noise'),
    fc.constantFrom(0, 1, 1_000, 1_100, 2_100, 30_000, 90_000, 150_000, 200_000, 300_000, 350_000, 360_000, 410_000),
  )
  .map(([unit, bytes]) =>
    unit === 'noise' ? noise(bytes / 3) : unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))),
  );

const number = fc.oneof(
  fc.constantFrom(-0, 1e100, -1e100, 1e-100, 5e-324, 1e101, 1.7976931348623157e308, 0.1 + 0.2, 123456789012345680000),
  fc.double({ noNaN: true }),
);

const ids = fc
  .tuple(fc.constantFrom(1, 20, 1_000, 1_001), fc.constantFrom(0, 4, 128, 129))
  .map(([count, length]) => Array.from({ length: count }, (_, index) => String(index).padStart(length, '0')));

type Change = (document: Document) => void;
const change = <T>(value: fc.Arbitrary<T>, put: (document: Document, value: T) => void): fc.Arbitrary<Change> =>
  value.map((given) => (document: Document) => put(document, given));
const isMade = fc.constant(undefined);

const changes: readonly fc.Arbitrary<Change>[] = [
  change(text, ({ workspace }, name) => Object.assign(workspace, { name })),
  change(text, ({ members }, name) => Object.assign(members[0], { name })),
  change(text, ({ apiKeys }, name) => Object.assign(apiKeys[1], { name })),
  change(text, ({ apiKeys, members }, name) => {
    for (let index = 0; index < 12; index++) apiKeys.push({ id: `key_${index}`, name, memberId: members[0].id });
  }),
  change(fc.constantFrom(99, 101, 3_000, 12_000), ({ members }, count) => {
    members[0].permissions = Array.from({ length: count }, () => 'menu:product:read-unpublished');
  }),
  change(fc.constantFrom(99, 101, 3_000, 12_000), ({ apiKeys }, count) => {
    apiKeys[1].permissions = Array.from({ length: count }, () => 'menu:product:read-unpublished');
  }),
  change(text, ({ menu }, name) => Object.assign(menu.products[0].name, { en: name })),
  change(text, ({ menu }, name) => Object.assign(menu.products[0].name, { ar: name })),
  change(text, ({ menu }, name) => Object.assign(menu.categories[1].name, { en: name })),
  change(text, ({ menu }, slug) => Object.assign(menu.categories[1], { slug })),
  change(text, ({ menu }, description) => Object.assign(menu.products[1], { description: { en: description } })),
  change(text, ({ menu }, barcode) => Object.assign(menu.products[1].priceOptions[0], { barcode })),
  change(number, ({ menu }, preparationTime) => Object.assign(menu.products[1], { preparationTime })),
  change(number, ({ menu }, price) => Object.assign(menu.products[1].priceOptions[0], { price })),
  change(ids, ({ menu }, suggestions) => Object.assign(menu.products[1], { suggestions })),
  change(ids, ({ menu }, made) => {
    menu.products[2].priceOptions = made.map((id) => ({ id, price: 1.5 }));
  }),
  change(text, ({ cms }, title) => Object.assign(cms.entries[0].values, { title: { en: title } })),
  change(text, ({ cms }, note) => Object.assign(cms.entries[0].values, { note })),
  change(text, ({ cms }, data) => Object.assign(cms.entries[0].values, { data: { [data.slice(0, 50_000)]: data } })),
  change(fc.jsonValue(), ({ cms }, data) => Object.assign(cms.entries[0].values, { data })),
  change(number, ({ cms }, amount) => Object.assign(cms.entries[0].values, { amount })),
  change(ids, ({ cms }, products) => Object.assign(cms.entries[1].values, { products })),
  change(ids, ({ cms }, others) => Object.assign(cms.entries[1].values, { others })),
  change(text, ({ cms }, modelId) => Object.assign(cms.entries[2], { modelId })),
  change(text, ({ cms }, next) => Object.assign(cms.entries[2].values, { next })),
  change(text, ({ cms }, model) => Object.assign(cms.models[0].fields[12].relation, { to: `cms:${model}` })),
  change(text, ({ apiKeys }, secretHash) => apiKeys.push({ id: 'key_hash', name: 'Hash', secretHash })),
  change(text, ({ workspace }, id) => Object.assign(workspace, { id })),
  change(text, ({ cms }, url) => Object.assign(cms.entries[0].values, { picture: { id: 'img', url } })),
  change(text, ({ cms }, value) => {
    cms.models[0].fields[7].options.push({ value, label: { en: value } });
  }),
  change(text, ({ forms }, title) => Object.assign(forms[0].title, { en: title })),
  change(text, ({ forms }, slug) => Object.assign(forms[0], { slug })),
  change(number, ({ forms }, order) => Object.assign(forms[0].fields[0], { order })),
  change(text, ({ messaging }, identifier) => Object.assign(messaging.channels[1], { identifier })),
  change(text, ({ messaging }, identifier) => Object.assign(messaging.channels[0], { identifier })),
  change(text, ({ messaging }, externalId) => Object.assign(messaging.customers[0], { externalId })),
  change(text, ({ messaging }, email) => Object.assign(messaging.customers[0], { email })),
  change(text, ({ messaging }, instructions) => Object.assign(messaging.agents[0], { instructions })),
  change(text, ({ messaging }, onBehalfOf) => Object.assign(messaging.messages[1], { onBehalfOf, text: onBehalfOf })),
  change(fc.jsonValue(), ({ messaging }, citation) => Object.assign(messaging.messages[1], { citations: [citation] })),
  change(text, ({ attachments }, name) => Object.assign(attachments[0], { name })),
  change(isMade, ({ attachments, workspace }) => {
    const s3Key = `workspaces/${workspace.id}/drive/messaging/menu.pdf`;
    for (const id of ['att_2', 'att_3']) attachments.push({ ...attachments[0], id, s3Key });
  }),
  change(isMade, ({ attachments, workspace }) => {
    attachments[0].s3Key = `workspaces/${workspace.id}/drive/messaging/`.padEnd(1_000, 'a');
  }),
  change(text, ({ formResponses }, answer) => Object.assign(formResponses[0].answers, { [answer]: answer })),
  change(fc.jsonValue(), ({ formResponses }, meta) => Object.assign(formResponses[0].meta, { _meta: meta })),
];

it('an import stores an accepted document as a whole and changes nothing the second time; a refused one leaves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...changes), { minLength: 1, maxLength: 3 }), async (made) => {
      await restoreItems([]);
      const document = everyKind(newWorkspaceId());
      for (const put of made) put(document);
      const { failures } = await importFile(document);
      // The message of an error inside a value begins with its path in the value.
      for (const { kind, message } of failures)
        expect([kind, message]).toEqual([expect.any(String), expect.stringMatching(/(?:^|: )[A-Z].*\.$/s)]);
      if (failures.length > 0) expect(await allItems()).toEqual([]);
      else expect((await importFile(document)).changed).toBe(0);
    }),
    { numRuns: 50 },
  );
}, 600_000);
