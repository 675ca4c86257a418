import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ask } from '#test/support/demo-tools.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { storeWorkspace } from '#test/support/world.ts';

let demo: Workspace<'demo'>;
beforeAll(async () => {
  demo = await openWorkspace('demo');
});

const product = (id: string) => ({ kind: 'product', id });
const entry = (modelId: string, id: string) => ({ kind: 'entry', modelId, id });

/** A guest's question, and the texts that the reply must contain or must not contain. */
interface Expectation {
  readonly says: readonly string[];
  readonly not?: readonly string[];
  readonly cites?: readonly object[];
}

const english: readonly (readonly [question: string, expected: Expectation])[] = [
  [
    'How much is the lamb kabsa?',
    { says: ['Lamb kabsa', '58 SAR', '109 SAR', '205 SAR'], cites: [product('prod_lamb_kabsa')] },
  ],
  ['kabsah price', { says: ['Lamb kabsa', '58 SAR'], cites: [product('prod_lamb_kabsa')] }],
  ['Is the Um Ali available?', { says: ['Um Ali is sold out'], cites: [product('prod_um_ali')] }],
  ['Do you have hummus?', { says: ['Hummus with saffron butter', '26 SAR'] }],
  ['When are you open?', { says: ['Riyadh, Olaya', '07:00–00:00', 'Friday 13:00–01:00'] }],
  [
    'Is the Diriyah branch open on Friday?',
    { says: ['Diriyah', '13:00–01:00'], not: ['Olaya'], cites: [entry('locations', 'loc_diriyah')] },
  ],
  ['Where are you in Jeddah?', { says: ['Souq Al-Alawi', 'North Corniche Road'], not: ['Riyadh'] }],
  ['What is your phone number?', { says: ['+966 11 555 0101'], not: ['110 2014'] }],
  ['vegan mezze under 25', { says: ['Smoked mutabbal', 'Stuffed vine leaves'], not: ['Hummus'] }],
  ['What desserts do you have?', { says: ['Luqaimat', 'Um Ali: 29 SAR (sold out right now)'], not: ['ice cream'] }],
  ['Show me the menu', { says: ['Breakfast', 'Desserts', 'Drinks'] }],
  [
    'I want to book a table for four',
    { says: ['Book a table', 'Mobile number'], cites: [{ kind: 'form', id: 'form_reservation' }] },
  ],
  ['Do you have parking?', { says: ['Riyadh, Olaya: Parking: yes', 'Jeddah, Al-Balad: Parking: no'] }],
  ['Tell me about Noura', { says: ['Noura learned to cook'], cites: [entry('chefs', 'chef_noura')] }],
  ['Perfect, and how much is the lamb kabsa?', { says: ['58 SAR'], not: ['could not find', 'nothing about'] }],
  ['Is the jareesh sold out?', { says: ['Jareesh is available.'], not: ['Yes', 'No'] }],
  ['Do you sell bicycles?', { says: ['could not find', 'team'] }],
  [
    'Does the lamb kabsa contain nuts?',
    { says: ['Lamb kabsa', 'tree nuts', 'allergy'], cites: [product('prod_lamb_kabsa')] },
  ],
  ['I am allergic to nuts. What can I eat?', { says: ['allergy', 'team'] }],
  ['do you sell beer?', { says: ['could not find'], not: ['Beef'] }],
  ['hello', { says: ['Hello'], cites: [] }],
  ['Thank you!', { says: ['welcome'], cites: [] }],
  ['Can I talk to a person?', { says: ['A member of our team will help you'] }],
];

const arabic: readonly (readonly [question: string, expected: Expectation])[] = [
  ['بكم كبسة اللحم؟', { says: ['كبسة لحم', '58', 'ريال'], cites: [product('prod_lamb_kabsa')] }],
  ['هل المندي متوفر؟', { says: ['مندي دجاج متوفر', '32'], cites: [product('prod_chicken_mandi')] }],
  ['هل نفد الجريش؟', { says: ['جريش متوفر'], not: ['نعم'] }],
  ['هل أم علي متوفرة؟', { says: ['أم علي', 'نفدت'], cites: [product('prod_um_ali')] }],
  ['ممتاز، وكم سعر مندي الدجاج؟', { says: ['مندي دجاج', '46'], not: ['لم أجد'] }],
  ['تمام. هل المندي متوفر؟', { says: ['مندي دجاج متوفر'], not: ['لم أجد'] }],
  ['متى تفتحون؟', { says: ['الرياض، العليا', '07:00–00:00', 'الجمعة'] }],
  ['السلام عليكم، هل فرع الدرعية مفتوح يوم الجمعة؟', { says: ['الدرعية', '13:00–01:00'], not: ['العليا'] }],
  ['ما هي الحلويات؟', { says: ['لقيمات', 'كنافة'] }],
  ['المنيو', { says: ['الفطور', 'الحلويات'] }],
  ['ابغى احجز طاولة', { says: ['احجز طاولة', 'رقم الجوال'] }],
  ['وين موقعكم في جدة؟', { says: ['سوق العلوي'], not: ['الرياض'] }],
  ['هل لديكم بيتزا؟', { says: ['لم أجد', 'فريقنا'] }],
  ['شكرا', { says: ['على الرحب'], cites: [] }],
];

const expectReply = ({ text, citations }: Awaited<ReturnType<typeof ask>>, { says, not = [], cites }: Expectation) => {
  for (const words of says) expect(text).toContain(words);
  for (const words of not) expect(text).not.toContain(words);
  if (cites) expect(citations).toEqual(cites);
  expect(text).not.toMatch(/\bAI\b|artificial|ذكاء/i);
};

describe('the offline engine answers in English', () => {
  it.each(english)('%s', async (question, expected) => {
    expectReply(await ask(demo, question), expected);
  });
});

describe('the offline engine answers in Arabic', () => {
  it.each(arabic)('%s', async (question, expected) => {
    const reply = await ask(demo, question, { language: 'ar' });
    expectReply(reply, expected);
    expect(reply.text).toMatch(/[\u0621-\u064a]/);
  });

  it("the offline engine answers a request in Arabic in Arabic, whatever the question's language", async () => {
    expect((await ask(demo, 'How much is the lamb kabsa?', { language: 'ar' })).text).toContain('كبسة لحم: 58');
    expect((await ask(demo, 'بكم كبسة اللحم؟')).text).toContain('Lamb kabsa: 58 SAR');
  });
});

describe('the offline engine', () => {
  it('repeats its reply for the same question', async () => {
    const first = await ask(demo, 'lamb');
    const second = await ask(demo, 'lamb');
    expect(second).toEqual(first);
  });

  it('streams word by word', async () => {
    const { text, deltas } = await ask(demo, 'What desserts do you have?');
    expect(deltas.length).toBeGreaterThan(20);
    expect(deltas.every((delta) => /^\s*\S+$/.test(delta))).toBe(true);
    expect(deltas.join('')).toBe(text);
  });

  it('answers the last of several messages in a row', async () => {
    const reply = await ask(demo, [{ role: 'user', text: 'How much is the kunafa?\n\nAnd the shish tawook?' }]);
    expectReply(reply, { says: ['Shish tawook', '45 SAR'], not: ['kunafa'] });
  });

  it('searches only the databases of the agent', async () => {
    expectReply(await ask(demo, 'When are you open?', { agent: { tools: ['search_menu'] } }), {
      says: ['could not find'],
      not: ['07:00'],
    });
    expectReply(await ask(demo, 'How much is the lamb kabsa?', { agent: { tools: [] } }), {
      says: ['could not find'],
      cites: [],
    });
  });

  it('stops at the token limit and reports it', async () => {
    const { text, reason } = await ask(demo, 'What desserts do you have?', { maxTokens: 5 });
    expect({ words: text.split(/\s+/).length, reason }).toEqual({ words: 5, reason: 'length' });
  });

  it.each(['', ' ', '؟', '👍', '.*+?^$()|[]\\', 'x'.repeat(20_000), 'kabsa '.repeat(4_000), '\u202e\u0000\ufeff'])(
    'answers any text (%#)',
    async (question) => {
      expect((await ask(demo, question)).text.trim()).not.toBe('');
    },
  );
});

describe('a small business', () => {
  const workspaceId = `ws_${randomUUID().replaceAll('-', '')}`;
  const fields = (...keys: string[]) =>
    keys.map((key) => ({ key, name: { en: key.replaceAll(/[A-Z]/g, ' $&') }, type: 'text', localized: false }));
  beforeAll(() =>
    storeWorkspace({
      version: 1,
      workspace: { id: workspaceId, name: 'Cafe', languages: ['en'], defaultLanguage: 'en', currency: null },
      cms: {
        models: [
          { id: 'info', name: { en: 'Info' }, fields: fields('title', 'text') },
          { id: 'shops', name: { en: 'Shops' }, fields: fields('name', 'openingHours', 'phoneNumber') },
        ],
        entries: [
          { id: 'faq_1', modelId: 'info', values: { title: 'Do we take cards?', text: 'Yes, all cards.' } },
          {
            id: 'shop_1',
            modelId: 'shops',
            values: { name: 'Harbour', openingHours: 'Daily 8 to 20', phoneNumber: '012 34' },
          },
        ],
      },
      menu: {
        categories: [{ id: 'c', slug: 'c', name: { en: 'Coffee' } }],
        products: [
          {
            id: 'p',
            slug: 'flat-white',
            name: { en: 'Flat white' },
            priceOptions: [{ id: 'o', price: 3.5 }],
            categoryId: 'c',
          },
          { id: 'q', slug: 'mocha', name: { en: 'Mocha' }, priceOptions: [], categoryId: 'c' },
        ],
      },
    }),
  );

  it.each([
    ['How much is a flat white?', 'Flat white: 3.50.'],
    ['Price of the mocha?', 'The price of Mocha is not listed'],
    ['When do you close?', 'Harbour: Daily 8 to 20'],
    ['متى تفتحون؟', 'Harbour: Daily 8 to 20'],
    ['Can I have your telephone number?', 'Harbour: 012 34'],
    ['do you take cards', 'Yes, all cards.'],
    ['menu please', '- Coffee'],
    ['Do you have tea?', 'could not find'],
  ])('%s', async (question, words) => {
    expect((await ask({ workspaceId }, question)).text).toContain(words);
  });

  it('cites nothing where it finds nothing', async () => {
    expect((await ask({ workspaceId }, 'Do you have tea?')).citations).toEqual([]);
    expect((await ask({ workspaceId }, 'great, perfect')).citations).toEqual([]);
    expect((await ask({ workspaceId }, 'Price of the mocha?')).citations).toEqual([product('q')]);
  });

  it('answers without any data', async () => {
    const empty = `ws_${randomUUID().replaceAll('-', '')}`;
    await storeWorkspace({
      version: 1,
      workspace: { id: empty, name: 'New', languages: ['en'], defaultLanguage: 'en', currency: null },
    });
    for (const question of ['How much is tea?', 'menu', 'When are you open?', 'hello']) {
      expect((await ask({ workspaceId: empty }, question)).text).not.toBe('');
    }
  });
});

describe('data that a reply must not contain', () => {
  it.each([
    ['Do you have qursan?', 'Qursan'],
    ['Is there ice cream?', 'ice cream'],
    ['Who is Tariq Mansour?', 'Qatif'],
    ['Where is the restaurant in Madinah?', 'Quba'],
    ['What is the phone of chef Noura?', '110 2014'],
    ['Is Mariam waiting for a visa renewal?', 'Visa renewal'],
    ['Can you cater for my company? catering', 'Company or family'],
  ])('%s', async (question, secret) => {
    expect(JSON.stringify(demo.document)).toContain(secret);
    expect((await ask(demo, question)).text).not.toContain(secret);
  });
});
