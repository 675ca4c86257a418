import { both, categories, entries, fields, form, price, products, workspace } from './records.ts';

const models = [
  {
    id: 'outlets',
    name: both('Our outlets', 'فروعنا'),
    fields: [
      ...fields('text', { 'area*': both('Area', 'المنطقة') }),
      ...fields('text', { 'street*': both('Street', 'الشارع') }),
      ...fields('text', { 'timing*': both('Timing', 'المواعيد') }),
      ...fields('phone', { tel: both('Tel', 'هاتف') }),
      ...fields('longText', { 'zones*': both('We deliver to', 'نوصل إلى') }),
      ...fields('number', { minimum: both('Minimum order in QAR', 'أقل طلب بالريال القطري') }),
      ...fields('boolean', { prayerRoom: both('Prayer room', 'مصلى') }),
      ...fields('text', { rent: both('Rent', 'الإيجار') }, { hidden: true }),
    ],
  },
  {
    id: 'deals',
    name: both('Deals', 'العروض'),
    fields: [
      ...fields('text', { 'headline*': both('Headline', 'العنوان') }),
      ...fields('longText', { 'terms*': both('Terms', 'الشروط') }),
      ...fields('date', { until: both('Valid until', 'صالح حتى') }),
    ],
  },
  {
    id: 'notes',
    name: both('Good to know', 'معلومات تهمك'),
    fields: [
      ...fields('text', { 'topic*': both('Topic', 'الموضوع') }),
      ...fields('longText', { 'note*': both('Note', 'الملاحظة') }),
    ],
  },
];

const published = [
  ...entries('outlets', {
    sadd: {
      area: both('Al Sadd', 'السد'),
      street: both('Jawaan Street, opposite the stadium', 'شارع جوعان، مقابل الملعب'),
      timing: both('Daily 11 am to 2 am', 'يوميًا من 11 صباحًا حتى 2 صباحًا'),
      tel: '+974 4400 1001',
      zones: both('Al Sadd, Bin Mahmoud and Al Mirqab', 'السد وبن محمود والمرقاب'),
      minimum: 25,
      prayerRoom: true,
      rent: '31000',
    },
    wakra: {
      area: both('Al Wakra', 'الوكرة'),
      street: both('Souq waterfront, gate 4', 'واجهة السوق، بوابة 4'),
      timing: both('Daily 5 pm to 1 am', 'يوميًا من 5 مساءً حتى 1 صباحًا'),
      tel: '+974 4400 1002',
      zones: both('Al Wakra and Mesaieed', 'الوكرة ومسيعيد'),
      minimum: 40,
      prayerRoom: false,
      rent: '22000',
    },
  }),
  ...entries('deals', {
    monday: {
      headline: both('Two for one Monday', 'اثنان بسعر واحد يوم الاثنين'),
      terms: both(
        'Two chicken wraps for the price of one, dine-in only.',
        'لفتان دجاج بسعر لفة واحدة، داخل المطعم فقط.',
      ),
      until: '2026-12-31',
    },
    students: {
      headline: both('Student discount', 'خصم الطلاب'),
      terms: both('15% off with a university card.', 'خصم 15٪ مع البطاقة الجامعية.'),
      until: '2027-06-30',
    },
  }),
  ...entries('notes', {
    halal: {
      topic: both('Is the meat halal?', 'هل اللحم حلال؟'),
      note: both('All of our meat is halal and slaughtered locally.', 'كل لحومنا حلال ومن ذبائح محلية.'),
    },
    fees: {
      topic: both('Delivery fee', 'رسوم التوصيل'),
      note: both('Delivery costs 8 QAR; above 100 QAR it is free.', 'التوصيل بـ 8 ريالات، ومجاني فوق 100 ريال.'),
    },
    pay: {
      topic: both('Payment', 'الدفع'),
      note: both('Cash, all cards and Apple Pay. No cheques.', 'نقدًا وكل البطاقات وأبل باي. لا نقبل الشيكات.'),
    },
    origin: {
      topic: both('Our story', 'قصتنا'),
      note: both(
        'Abu Karim brought his spit from Tripoli to Doha in 1998.',
        'أحضر أبو كريم سيخه من طرابلس إلى الدوحة عام 1998.',
      ),
    },
    sesame: {
      topic: both('Allergens', 'مسببات الحساسية'),
      note: both(
        'Tahini has sesame, and the bread has gluten. The fryer is shared with the falafel.',
        'الطحينة فيها سمسم والخبز فيه جلوتين. والقلاية مشتركة مع الفلافل.',
      ),
    },
  }),
];

const hidden = [
  ...entries(
    'outlets',
    {
      lusail: {
        area: both('Lusail', 'لوسيل'),
        street: both('Marina, tower 9', 'المارينا، برج 9'),
        timing: both('Opens in March', 'يفتتح في مارس'),
        tel: '+974 4400 1003',
      },
    },
    { published: false },
  ),
  ...entries(
    'deals',
    {
      staff: {
        headline: both('Staff price', 'سعر الموظفين'),
        terms: both('Half price with code CREW50.', 'نصف السعر مع الرمز CREW50.'),
      },
    },
    { published: false },
  ),
];

const choice = (id: string, name: ReturnType<typeof both>, amount: number, more: object = {}) => ({
  id,
  name,
  price: amount,
  ...more,
});
const extras = {
  id: 'extras',
  name: both('Extras', 'إضافات'),
  options: [
    choice('garlic', both('Garlic sauce', 'ثومية'), 1),
    choice('cheddar', both('Cheddar', 'شيدر'), 3),
    choice('pickles', both('Extra pickles', 'مخلل زيادة'), 0),
    choice('fries_in', both('Fries inside', 'بطاطس داخلها'), 2, { soldout: true }),
  ],
};
const bread = {
  id: 'bread',
  name: both('Bread', 'الخبز'),
  required: true,
  min: 1,
  max: 1,
  options: [choice('pita', both('Pita', 'خبز عربي'), 0, { default: true }), choice('saj', both('Saj', 'صاج'), 2)],
};

const facts = (calories: number, allergens: readonly string[], dietary: readonly string[] = []) => ({
  nutritionFacts: {
    servingSize: '1 wrap',
    calories,
    protein: 30,
    carbohydrates: 45,
    fat: 20,
    sugar: 4,
    sodium: 800,
    allergens,
    dietary,
  },
});

const menu = {
  categories: categories({
    wraps: both('Wraps', 'لفائف'),
    plates: both('Plates', 'صحون'),
    sides: both('Sides', 'أطباق جانبية'),
    drinks: both('Cold drinks', 'مشروبات باردة'),
  }),
  products: products({
    chicken_wrap: {
      name: both('Chicken shawarma wrap', 'شاورما دجاج'),
      description: both('Chicken, garlic cream and pickles.', 'دجاج وكريمة الثوم ومخلل.'),
      category: 'wraps',
      prices: [price(12, both('Regular', 'عادي')), price(17, both('Large', 'كبير'))],
      preparationTime: 7,
      optionSets: [bread, extras],
      ...facts(540, ['GLUTEN', 'EGGS']),
    },
    beef_wrap: {
      name: both('Beef shawarma wrap', 'شاورما لحم'),
      description: both('Beef, tahini, parsley and sumac onions.', 'لحم وطحينة وبقدونس وبصل بالسماق.'),
      category: 'wraps',
      prices: [price(15, both('Regular', 'عادي')), price(21, both('Large', 'كبير'))],
      optionSets: [extras],
      ...facts(610, ['GLUTEN', 'SESAME']),
    },
    falafel_wrap: {
      name: both('Falafel wrap', 'لفة فلافل'),
      category: 'wraps',
      prices: [price(9)],
      ...facts(420, ['GLUTEN', 'SESAME'], ['VEGAN', 'VEGETARIAN']),
    },
    mix_plate: {
      name: both('Mixed shawarma plate', 'صحن شاورما مشكل'),
      category: 'plates',
      prices: [price(38)],
      preparationTime: 15,
    },
    arabi_plate: { name: both('Arabi plate', 'صحن عربي'), category: 'plates', prices: [price(26)], soldout: true },
    family_box: {
      name: both('Family box', 'بوكس العائلة'),
      description: both('Twelve wraps, four fries and two sauces.', 'اثنتا عشرة لفة وأربع بطاطس وصوصان.'),
      category: 'plates',
      prices: [price(145)],
    },
    fries: {
      name: both('French fries', 'بطاطس مقلية'),
      category: 'sides',
      prices: [price(7, both('Small', 'صغير')), price(11, both('Large', 'كبير'))],
      ...facts(310, [], ['VEGAN', 'VEGETARIAN']),
    },
    tabbouleh: {
      name: both('Tabbouleh', 'تبولة'),
      category: 'sides',
      prices: [price(14)],
      ...facts(120, ['GLUTEN'], ['VEGAN', 'VEGETARIAN']),
    },
    ayran: { name: both('Ayran', 'عيران'), category: 'drinks', prices: [price(5)] },
    jallab: { name: both('Jallab', 'جلاب'), category: 'drinks', prices: [price(10)] },
    water: { name: both('Water', 'ماء'), category: 'drinks', prices: [price(2)] },
    camel_wrap: {
      name: both('Camel shawarma wrap', 'شاورما حاشي'),
      category: 'wraps',
      prices: [price(27)],
      published: false,
    },
  }),
};

const forms = [
  form('bulk-order', both('Order for a large group', 'طلب لعدد كبير'), [
    both('Your name', 'اسمك'),
    both('How many people?', 'كم عدد الأشخاص؟'),
    both('Day', 'اليوم'),
  ]),
  form('contact', both('Contact us', 'تواصل معنا'), [both('Name', 'الاسم'), both('Message', 'الرسالة')]),
];

/** A chain of shawarma restaurants: an outlet is an entry with fields of its own, a wrap has extras. */
export const shawarma = () =>
  workspace('Abu Karim', 'QAR', { cms: { models, entries: [...published, ...hidden] }, menu, forms });
