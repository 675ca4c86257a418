import { both, categories, entries, fields, form, price, products, workspace } from './records.ts';

const plain = (name: string) => ({ en: name }) as ReturnType<typeof both>;

const models = [
  {
    id: 'store_info',
    name: plain('Store info'),
    fields: [
      ...fields('text', { store_name: plain('Store name') }),
      ...fields('longText', { address_line: plain('Address line'), opening_times: plain('Opening times') }),
      ...fields('phone', { contact_number: plain('Contact number') }),
      ...fields('email', { contact_email: plain('Contact email') }),
      ...fields('boolean', { has_wifi: plain('Free wifi'), pets_allowed: plain('Pets allowed') }),
      ...fields('text', { landlord: plain('Landlord') }, { hidden: true }),
    ],
  },
  {
    id: 'faqs',
    name: plain('FAQs'),
    fields: [...fields('text', { question: plain('Question') }), ...fields('longText', { answer: plain('Answer') })],
  },
  {
    id: 'promotions',
    name: plain('Promotions'),
    fields: [
      ...fields('text', { title: plain('Title') }),
      ...fields('longText', { details: plain('Details') }),
      ...fields('date', { ends_on: plain('Ends on') }),
    ],
  },
];

const published = [
  ...entries('store_info', {
    main: {
      store_name: 'Palm & Bean',
      address_line: '12 Tahlia Street, Riyadh',
      opening_times: 'Sun-Thu 7am-11pm, Fri-Sat 9am-1am',
      contact_number: '+966 11 234 5678',
      contact_email: 'hello@palmbean.example',
      has_wifi: true,
      pets_allowed: false,
      landlord: 'Al Noor Estates',
    },
  }),
  ...entries('faqs', {
    f1: { question: 'Can I bring my own cup?', answer: 'Yes, and you get 2 SAR off.' },
    f2: { question: 'Do you host birthdays?', answer: 'The mezzanine seats 18 guests; 500 SAR for three hours.' },
    f3: { question: 'Do you have decaf?', answer: 'Every espresso drink can be made decaf at no charge.' },
    f4: { question: 'Is there a place to pray?', answer: 'There is a small prayer room upstairs.' },
    f5: { question: 'Do you sell whole beans?', answer: 'Our house blend is 65 SAR for 250 g.' },
    f6: { question: 'Do you deliver?', answer: 'Through HungerStation and Jahez, from 8am to 10pm.' },
  }),
  ...entries('promotions', {
    happy: { title: 'Happy hour', details: 'All iced drinks 25% off from 2pm to 4pm.', ends_on: '2026-12-31' },
    combo: {
      title: 'Breakfast combo',
      details: 'Any latte with a croissant for 29 SAR before 11am.',
      ends_on: '2027-01-15',
    },
  }),
  ...entries(
    'promotions',
    { vip: { title: 'VIP card', details: 'Secret 40% card for partners.' } },
    { published: false },
  ),
];

const facts = (calories: number, allergens: readonly string[], dietary: readonly string[] = []) => ({
  nutritionFacts: {
    servingSize: null,
    calories,
    protein: 6,
    carbohydrates: 20,
    fat: 7,
    sugar: 12,
    sodium: 90,
    allergens,
    dietary,
  },
});
const sizes = (small: number, medium: number, large: number) => [
  price(small, both('Small', 'صغير')),
  price(medium, both('Medium', 'وسط')),
  price(large, both('Large', 'كبير')),
];
const milk = {
  id: 'milk',
  name: both('Milk choice', 'نوع الحليب'),
  options: [
    { id: 'almond', name: both('Almond milk', 'حليب لوز'), price: 4 },
    { id: 'lactose_free', name: both('Lactose-free milk', 'حليب خالي اللاكتوز'), price: 3 },
  ],
};
const shots = {
  id: 'shots',
  name: both('Add-ons', 'إضافات'),
  options: [
    { id: 'shot', name: both('Extra shot', 'شوت إضافي'), price: 5 },
    { id: 'vanilla', name: both('Vanilla syrup', 'سيرب فانيلا'), price: 3 },
  ],
};

const menu = {
  categories: categories({
    hot: both('Hot coffee', 'قهوة ساخنة'),
    iced: both('Iced drinks', 'مشروبات باردة'),
    food: both('Bakery and sandwiches', 'مخبوزات وساندويتشات'),
    desserts: both('Desserts', 'حلويات'),
  }),
  products: products({
    latte: {
      name: both('Caffe latte', 'كافيه لاتيه'),
      category: 'hot',
      prices: sizes(16, 19, 22),
      optionSets: [milk, shots],
      ...facts(190, ['MILK'], ['VEGETARIAN']),
    },
    americano: {
      name: both('Americano', 'أمريكانو'),
      category: 'hot',
      prices: sizes(12, 14, 16),
      optionSets: [shots],
      ...facts(10, [], ['VEGAN', 'VEGETARIAN']),
    },
    v60: { name: both('V60 filter', 'في60'), category: 'hot', prices: [price(21)], preparationTime: 6 },
    iced_latte: {
      name: both('Iced latte', 'آيس لاتيه'),
      category: 'iced',
      prices: sizes(18, 21, 24),
      optionSets: [milk],
      ...facts(160, ['MILK'], ['VEGETARIAN']),
    },
    matcha: { name: both('Iced matcha', 'ماتشا باردة'), category: 'iced', prices: [price(24)], soldout: true },
    hibiscus: {
      name: both('Hibiscus cooler', 'كركديه بارد'),
      category: 'iced',
      prices: [price(17)],
      ...facts(90, [], ['VEGAN', 'VEGETARIAN']),
    },
    croissant: {
      name: both('Plain croissant', 'كرواسون سادة'),
      category: 'food',
      prices: [price(11)],
      ...facts(270, ['GLUTEN', 'MILK', 'EGGS'], ['VEGETARIAN']),
    },
    turkey: {
      name: both('Turkey sandwich', 'ساندويتش تركي'),
      description: both('Smoked turkey, emmental and mustard.', 'تركي مدخن وجبن إيمنتال وخردل.'),
      category: 'food',
      prices: [price(28)],
      preparationTime: 5,
      ...facts(430, ['GLUTEN', 'MILK', 'MUSTARD']),
    },
    halloumi: {
      name: both('Halloumi sandwich', 'ساندويتش حلومي'),
      category: 'food',
      prices: [price(26)],
      ...facts(450, ['GLUTEN', 'MILK'], ['VEGETARIAN']),
    },
    san: {
      name: both('San Sebastian cheesecake', 'تشيز كيك سان سباستيان'),
      category: 'desserts',
      prices: [price(32)],
      ...facts(510, ['MILK', 'EGGS', 'GLUTEN']),
    },
    cookie: {
      name: both('Pistachio cookie', 'كوكيز فستق'),
      category: 'desserts',
      prices: [price(14)],
      ...facts(330, ['TREE_NUTS', 'GLUTEN', 'MILK']),
    },
    tart: { name: both('Pecan tart', 'تارت بيكان'), category: 'desserts', prices: [price(27)], published: false },
  }),
};

const forms = [
  form('reserve', both('Reserve a table', 'احجز طاولة'), [
    both('Name', 'الاسم'),
    both('Guests', 'عدد الضيوف'),
    both('Time', 'الوقت'),
  ]),
  form('contact-us', both('Contact us', 'تواصل معنا'), [both('Your message', 'رسالتك')]),
  form('careers', both('Careers', 'الوظائف'), [both('CV', 'السيرة')], false),
];

/** A cafe whose pages are in English only, with plain texts under keys with underscores. */
export const cafe = () => workspace('Palm & Bean', 'SAR', { cms: { models, entries: published }, menu, forms });
