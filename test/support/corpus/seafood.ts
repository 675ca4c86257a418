import { both, categories, entries, fields, form, price, products, workspace } from './records.ts';

const models = [
  {
    id: 'house',
    name: both('The restaurant', 'المطعم'),
    fields: [
      ...fields('text', { 'title*': both('Title', 'العنوان') }),
      ...fields('json', { times: both('Opening hours', 'أوقات العمل') }),
      ...fields('text', { 'where*': both('Address', 'العنوان') }),
      ...fields('phone', { call: both('Phone', 'الهاتف') }),
      ...fields('email', { write: both('E-mail', 'البريد الإلكتروني') }),
      ...fields('text', { supplier: both('Supplier', 'المورد') }, { hidden: true }),
    ],
  },
  {
    id: 'zones',
    name: both('Delivery zones', 'مناطق التوصيل'),
    fields: [
      ...fields('text', { 'zone*': both('Zone', 'المنطقة') }),
      ...fields('number', { fee: both('Delivery fee in OMR', 'رسوم التوصيل بالريال العماني') }),
      ...fields('number', { least: both('Minimum order in OMR', 'أقل طلب بالريال العماني') }),
      ...fields('text', { 'eta*': both('Arrives within', 'يصل خلال') }),
    ],
  },
  {
    id: 'faq',
    name: both('Questions', 'أسئلة'),
    fields: [
      ...fields('text', { 'question*': both('Question', 'السؤال') }),
      ...fields('richText', { 'answer*': both('Answer', 'الجواب') }),
    ],
  },
];

const published = [
  ...entries('house', {
    mutrah: {
      title: both('Bahar House', 'بيت البحر'),
      times: {
        sun: [['12:00', '23:00']],
        mon: [],
        tue: [['12:00', '23:00']],
        wed: [['12:00', '23:00']],
        thu: [['12:00', '00:30']],
        fri: [
          ['13:30', '16:00'],
          ['18:00', '00:30'],
        ],
        sat: [['12:00', '23:00']],
      },
      where: both('Corniche road 14, Mutrah, beside the fish market', 'طريق الكورنيش 14، مطرح، بجانب سوق السمك'),
      call: '+968 2471 5500',
      write: 'salam@bahar.example',
      supplier: 'Hassan boats, 1.2 OMR a kilo',
    },
  }),
  ...entries('zones', {
    mutrah: { zone: both('Mutrah and Ruwi', 'مطرح وروي'), fee: 0.5, least: 4, eta: both('30 minutes', '30 دقيقة') },
    qurum: { zone: both('Qurum', 'القرم'), fee: 1, least: 7, eta: both('45 minutes', '45 دقيقة') },
    seeb: { zone: both('Seeb', 'السيب'), fee: 2.5, least: 15, eta: both('75 minutes', '75 دقيقة') },
  }),
  ...entries('faq', {
    pay: {
      question: both('How can I pay?', 'كيف أدفع؟'),
      answer: both(
        '<p>Cash, Visa and Mastercard. We take <b>no American Express</b>.</p>',
        '<p>نقدًا أو فيزا أو ماستركارد. <b>لا نقبل أمريكان إكسبرس</b>.</p>',
      ),
    },
    parking: {
      question: both('Where do I park?', 'أين أوقف سيارتي؟'),
      answer: both('<p>Valet parking from 6 pm costs 2 OMR.</p>', '<p>خدمة صف السيارات من 6 مساءً بريالين.</p>'),
    },
    fresh: {
      question: both('Is the fish fresh?', 'هل السمك طازج؟'),
      answer: both('<p>Our boats come in at five every morning.</p>', '<p>تصل قواربنا في الخامسة كل صباح.</p>'),
    },
    allergy: {
      question: both('I am allergic to shellfish', 'عندي حساسية من القشريات'),
      answer: both(
        '<p>All dishes are cooked in one kitchen; traces of shellfish are possible everywhere.</p>',
        '<p>كل أطباقنا تُطهى في مطبخ واحد، وقد توجد آثار من القشريات في كل طبق.</p>',
      ),
    },
    alcohol: {
      question: both('Do you serve alcohol?', 'هل تقدمون الكحول؟'),
      answer: both('<p>No, we are a dry restaurant.</p>', '<p>لا، مطعمنا لا يقدم الكحول.</p>'),
    },
    children: {
      question: both('Are children welcome?', 'هل نستطيع إحضار الأطفال؟'),
      answer: both(
        '<p>Yes, there are high chairs, and children under six eat rice and grilled fish for free.</p>',
        '<p>نعم، لدينا كراسي أطفال، ومن هم دون السادسة يأكلون الرز والسمك المشوي مجانًا.</p>',
      ),
    },
  }),
  ...entries(
    'faq',
    {
      beach: {
        question: both('Is there a beach terrace?', 'هل توجد جلسة على الشاطئ؟'),
        answer: both('<p>It opens in Barka next winter.</p>', '<p>تفتتح في بركاء الشتاء القادم.</p>'),
      },
    },
    { published: false },
  ),
];

const facts = (calories: number, allergens: readonly string[], dietary: readonly string[] = []) => ({
  nutritionFacts: {
    servingSize: '1 plate',
    calories,
    protein: 31,
    carbohydrates: 20,
    fat: 12,
    sugar: 2,
    sodium: 640,
    allergens,
    dietary,
  },
});

const heat = {
  id: 'heat',
  name: both('How hot?', 'درجة الحرارة'),
  required: true,
  min: 1,
  max: 1,
  options: [
    { id: 'mild', name: both('Mild', 'بارد'), price: 0, default: true },
    { id: 'fiery', name: both('Fiery', 'حار جدًا'), price: 0 },
  ],
};
const sides = {
  id: 'beside',
  name: both('On the side', 'مع الطبق'),
  options: [
    { id: 'tamarind', name: both('Tamarind sauce', 'صوص التمر هندي'), price: 0.3 },
    { id: 'saffron', name: both('Saffron rice', 'رز بالزعفران'), price: 1.2 },
  ],
};

const menu = {
  categories: categories({
    raw: both('Cold and raw', 'بارد ونيء'),
    grill: both('From the charcoal', 'من الفحم'),
    pots: both('Pots and curries', 'قدور وصالونات'),
    tasting: both('Tasting menus', 'قوائم التذوق'),
    thirst: both('Refreshments', 'مرطبات'),
  }),
  products: products({
    oysters: {
      name: both('Dibba oysters', 'محار دبا'),
      category: 'raw',
      prices: [price(4.5, both('6 pieces', '6 حبات')), price(8, both('12 pieces', '12 حبة'))],
      soldout: true,
      ...facts(90, ['SHELLFISH']),
    },
    tartare: {
      name: both('Tuna tartare', 'تارتار التونة'),
      description: both('Yellowfin, sesame oil, lime and avocado.', 'تونة صفراء وزيت السمسم وليمون وأفوكادو.'),
      category: 'raw',
      prices: [price(5.2)],
      ...facts(260, ['FISH', 'SESAME']),
    },
    hamour: {
      name: both('Grilled hamour', 'هامور مشوي'),
      description: both('A fillet with lemon and garlic butter.', 'فيليه مع الليمون وزبدة الثوم.'),
      category: 'grill',
      prices: [price(6.9, both('Half', 'نصف')), price(12.5, both('Whole', 'كامل'))],
      preparationTime: 25,
      optionSets: [sides],
      ...facts(430, ['FISH', 'MILK'], ['HALAL']),
    },
    lobster: {
      name: both('Omani lobster', 'شارخة عمانية'),
      category: 'grill',
      prices: [price(16)],
      preparationTime: 35,
      soldout: true,
      ...facts(380, ['SHELLFISH']),
    },
    squid: { name: both('Salt squid', 'حبار بالملح'), category: 'grill', prices: [price(4.2)] },
    saloona: {
      name: both('Prawn saloona', 'صالونة ربيان'),
      description: both('Prawns, tomato, dried lime and okra.', 'ربيان وطماطم ولومي وبامية.'),
      category: 'pots',
      prices: [price(5.8)],
      optionSets: [heat, sides],
      ...facts(510, ['SHELLFISH']),
    },
    paplo: {
      name: both('Fish paplou', 'بابلو السمك'),
      category: 'pots',
      prices: [price(3.6)],
      ...facts(240, ['FISH']),
    },
    okra: {
      name: both('Okra and coconut curry', 'كاري البامية بجوز الهند'),
      category: 'pots',
      prices: [price(3.2)],
      ...facts(290, [], ['VEGAN', 'VEGETARIAN']),
    },
    five: {
      name: both('Fisherman menu', 'قائمة الصياد'),
      description: both('Five courses; two hours at the table.', 'خمسة أطباق، وساعتان على الطاولة.'),
      category: 'tasting',
      prices: [price(22), price(31, both('With pairing', 'مع المشروبات'))],
    },
    eight: {
      name: both('Captain menu', 'قائمة القبطان'),
      description: both('Eight courses, ordered a day ahead.', 'ثمانية أطباق، تطلب قبل يوم.'),
      category: 'tasting',
      prices: [price(38)],
    },
    lime: { name: both('Mint lemonade', 'ليمون بالنعناع'), category: 'thirst', prices: [price(1.4)] },
    laban: { name: both('Cumin laban', 'لبن بالكمون'), category: 'thirst', prices: [price(1.1)] },
    shark: { name: both('Shark awal', 'عوال'), category: 'pots', prices: [price(4)], published: false },
  }),
};

const forms = [
  form('table', both('Book a table', 'احجز طاولة'), [
    both('Name', 'الاسم'),
    both('How many guests?', 'كم عدد الضيوف؟'),
    both('Day and time', 'اليوم والوقت'),
  ]),
  form('feedback', both('Tell us what went wrong', 'أخبرنا بما حدث'), [both('Name', 'الاسم'), both('What?', 'ماذا؟')]),
];

/** A seafood restaurant with tasting menus and delivery zones; its week stands in a JSON field. */
export const seafood = () => workspace('Bahar House', 'OMR', { cms: { models, entries: published }, menu, forms });
