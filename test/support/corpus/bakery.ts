import { both, categories, entries, fields, form, price, products, workspace } from './records.ts';

const day = [['06:30', '22:00']];
const week = { sun: day, mon: day, tue: day, wed: day, thu: day, sat: day };

const facts = (calories: number, allergens: readonly string[], dietary: readonly string[] = []) => ({
  nutritionFacts: {
    servingSize: '1 piece',
    calories,
    protein: 5,
    carbohydrates: 40,
    fat: 12,
    sugar: 8,
    sodium: 210,
    allergens,
    dietary,
  },
});

const models = [
  {
    id: 'branches',
    name: both('Branches', 'الفروع'),
    fields: [
      ...fields('text', { 'name*': both('Name', 'الاسم') }),
      ...fields('longText', { 'address*': both('Address', 'العنوان') }),
      ...fields('json', { hours: both('Opening hours', 'أوقات الدوام') }),
      ...fields('phone', { whatsapp: both('WhatsApp', 'واتساب') }),
      ...fields('boolean', { driveThrough: both('Drive-through', 'خدمة السيارات') }),
      ...fields('phone', { managerPhone: both('Phone of the manager', 'هاتف المدير') }, { hidden: true }),
    ],
  },
  {
    id: 'pages',
    name: both('Pages', 'الصفحات'),
    fields: [
      ...fields('text', { 'title*': both('Title', 'العنوان') }),
      ...fields('richText', { 'body*': both('Text', 'النص') }),
    ],
  },
  {
    id: 'packages',
    name: both('Event packages', 'باقات المناسبات'),
    fields: [
      ...fields('text', { 'name*': both('Name', 'الاسم') }),
      ...fields('longText', { 'includes*': both('What is included', 'ما تشمله الباقة') }),
      ...fields('number', {
        pricePerGuest: both('Price per guest in KWD', 'السعر للضيف بالدينار'),
        guests: both('Minimum number of guests', 'أقل عدد للضيوف'),
      }),
      ...fields('number', { margin: both('Margin', 'هامش الربح') }, { hidden: true }),
    ],
  },
  {
    id: 'faq',
    name: both('Questions and answers', 'أسئلة وأجوبة'),
    fields: [
      ...fields('text', { 'question*': both('Question', 'السؤال') }),
      ...fields('longText', { 'answer*': both('Answer', 'الجواب') }),
    ],
  },
];

const published = [
  ...entries('branches', {
    salmiya: {
      name: both('Salmiya', 'السالمية'),
      address: both('Salem Al Mubarak Street, block 4', 'شارع سالم المبارك، قطعة ٤'),
      hours: { week: { ...week, fri: [['08:00', '23:00']] } },
      whatsapp: '+965 2222 0101',
      driveThrough: true,
      managerPhone: '+965 9999 7777',
    },
    jahra: {
      name: both('Jahra', 'الجهراء'),
      address: both('Marzouq Al Mutaab Street, next to the park', 'شارع مرزوق المتعب، بجانب الحديقة'),
      hours: { week: { ...week, fri: [] } },
      whatsapp: '+965 2222 0102',
      driveThrough: false,
      managerPhone: '+965 9999 8888',
    },
  }),
  ...entries('pages', {
    about: {
      title: both('About us', 'من نحن'),
      body: both(
        'Two sisters, **Maha and Hala**, opened the oven in 2014.\n\nOur starter is older than the shop.',
        'افتتحت الأختان **مها وهلا** الفرن في عام ٢٠١٤.\n\nخميرتنا أقدم من المحل.',
      ),
    },
    ramadan: {
      title: both('Hours in Ramadan', 'أوقات العمل في رمضان'),
      body: both(
        '## Ramadan\n\nIn Ramadan both shops open at **14:00** and close at **01:30**.',
        '## رمضان\n\nفي رمضان يفتح المحلان الساعة **14:00** ويغلقان الساعة **01:30**.',
      ),
    },
    loyalty: {
      title: both('Crumb card', 'بطاقة الفتات'),
      body: both(
        'Collect a stamp with every loaf. The tenth loaf is free.',
        'اجمع ختمًا مع كل رغيف، والرغيف العاشر مجاني.',
      ),
    },
  }),
  ...entries('packages', {
    majlis: {
      name: both('Majlis breakfast', 'فطور المجلس'),
      includes: both('Fatayer, croissants, labneh and tea for your guests.', 'فطائر وكرواسون ولبنة وشاي لضيوفكم.'),
      pricePerGuest: 3.5,
      guests: 15,
      margin: 41,
    },
    wedding: {
      name: both('Wedding table', 'طاولة العرس'),
      includes: both('Three-tier cake, petit fours and two waiters.', 'كيكة من ثلاث طبقات وحلويات صغيرة ومضيفان.'),
      pricePerGuest: 7.25,
      guests: 60,
      margin: 44,
    },
  }),
  ...entries('faq', {
    cancel: {
      question: both('Can I cancel my order?', 'هل يمكنني إلغاء طلبي؟'),
      answer: both('Yes, up to 24 hours before pick-up.', 'نعم، حتى 24 ساعة قبل الاستلام.'),
    },
    delivery: {
      question: both('Do you deliver?', 'هل لديكم توصيل؟'),
      answer: both(
        'Yes, everywhere in Kuwait City. Delivery costs 1.5 KWD and is free above 15 KWD.',
        'نعم، في كل مدينة الكويت. رسوم التوصيل 1.5 دينار وهو مجاني فوق 15 دينارًا.',
      ),
    },
    payment: {
      question: both('How can I pay?', 'كيف يمكنني الدفع؟'),
      answer: both('KNET, Visa, Apple Pay and cash.', 'كي نت وفيزا وأبل باي ونقدًا.'),
    },
    nuts: {
      question: both('Is your kitchen free of nuts?', 'هل مطبخكم خالٍ من المكسرات؟'),
      answer: both(
        'No, we bake with almonds and walnuts in the same kitchen.',
        'لا، نخبز باللوز والجوز في المطبخ نفسه.',
      ),
    },
    storing: {
      question: both('How do I store sourdough?', 'كيف أحفظ خبز العجين المخمر؟'),
      answer: both('Cut side down on a board, never in the fridge.', 'على لوح خشبي وجهة القطع للأسفل، لا في الثلاجة.'),
    },
  }),
];

const hidden = [
  ...entries(
    'faq',
    {
      franchise: {
        question: both('Do you franchise?', 'هل تمنحون الامتياز التجاري؟'),
        answer: both('Talks with Doha begin in May.', 'تبدأ المحادثات مع الدوحة في مايو.'),
      },
    },
    { published: false },
  ),
  ...entries(
    'branches',
    { fahaheel: { name: both('Fahaheel', 'الفحيحيل'), address: both('Coast Road', 'طريق الساحل') } },
    { published: false },
  ),
];

const menu = {
  categories: categories({
    breads: both('Breads', 'الخبز'),
    cakes: both('Cakes', 'الكيك'),
    pastries: both('Pastries', 'المعجنات'),
    sandwiches: both('Sandwiches', 'الساندويتشات'),
    hot_drinks: both('Hot drinks', 'المشروبات الساخنة'),
  }),
  products: products({
    sourdough: {
      name: both('Sourdough loaf', 'خبز العجين المخمر'),
      category: 'breads',
      prices: [price(1.75)],
      preparationTime: 5,
      ...facts(240, ['GLUTEN'], ['VEGAN']),
    },
    date_bread: {
      name: both('Date and walnut bread', 'خبز التمر والجوز'),
      category: 'breads',
      prices: [price(2.25)],
      ...facts(310, ['GLUTEN', 'TREE_NUTS']),
    },
    baguette: { name: both('Baguette', 'باغيت'), category: 'breads', prices: [price(0.65)] },
    rice_loaf: {
      name: both('Rice flour loaf', 'خبز دقيق الأرز'),
      category: 'breads',
      prices: [price(2.9)],
      ...facts(190, [], ['GLUTEN_FREE', 'VEGAN']),
    },
    fudge_cake: {
      name: both('Chocolate fudge cake', 'كيكة الشوكولاتة'),
      description: both('Dark Belgian chocolate in four layers.', 'شوكولاتة بلجيكية داكنة في أربع طبقات.'),
      category: 'cakes',
      prices: [
        price(9.5, both('Small, 6 slices', 'صغيرة، 6 قطع')),
        price(16, both('Large, 12 slices', 'كبيرة، 12 قطعة')),
      ],
      preparationTime: 90,
      ...facts(430, ['GLUTEN', 'MILK', 'EGGS'], ['VEGETARIAN']),
    },
    rose_cake: {
      name: both('Pistachio rose cake', 'كيكة الفستق والورد'),
      category: 'cakes',
      prices: [price(18)],
      ...facts(390, ['TREE_NUTS', 'MILK', 'EGGS']),
    },
    carrot_cake: { name: both('Carrot cake', 'كيكة الجزر'), category: 'cakes', prices: [price(8.75)], soldout: true },
    cheesecake: { name: both('Lotus cheesecake', 'تشيز كيك اللوتس'), category: 'cakes', prices: [price(11)] },
    croissant: { name: both('Butter croissant', 'كرواسون بالزبدة'), category: 'pastries', prices: [price(0.75)] },
    almond_croissant: { name: both('Almond croissant', 'كرواسون باللوز'), category: 'pastries', prices: [price(1.1)] },
    fatayer: {
      name: both('Cheese fatayer', 'فطائر الجبن'),
      category: 'pastries',
      prices: [price(0.5)],
      preparationTime: 12,
    },
    cinnamon_roll: {
      name: both('Cinnamon roll', 'لفائف القرفة'),
      category: 'pastries',
      prices: [price(1.2)],
      soldout: true,
    },
    halloumi_sandwich: {
      name: both('Halloumi sandwich', 'ساندويتش حلوم'),
      category: 'sandwiches',
      prices: [price(2.1)],
    },
    turkey_sandwich: {
      name: both('Turkey and cheese sandwich', 'ساندويتش ديك رومي بالجبن'),
      category: 'sandwiches',
      prices: [price(2.4)],
    },
    tuna_sandwich: {
      name: both('Tuna sandwich', 'ساندويتش تونة'),
      category: 'sandwiches',
      prices: [price(1.95)],
      published: false,
    },
    cappuccino: {
      name: both('Cappuccino', 'كابتشينو'),
      category: 'hot_drinks',
      prices: [price(1.6, both('Small', 'صغير')), price(1.9, both('Large', 'كبير'))],
    },
    spanish_latte: { name: both('Spanish latte', 'سبانش لاتيه'), category: 'hot_drinks', prices: [price(2)] },
    karak: { name: both('Karak tea', 'شاي كرك'), category: 'hot_drinks', prices: [price(0.8)] },
  }),
};

const forms = [
  form('event-inquiry', both('Event inquiry', 'طلب مناسبة'), [
    both('Your name', 'الاسم'),
    both('Date of the event', 'تاريخ المناسبة'),
    both('Guests', 'عدد الضيوف'),
  ]),
  form('custom-cake', both('Custom cake order', 'طلب كيكة خاصة'), [
    both('Flavour', 'النكهة'),
    both('Text on the cake', 'النص على الكيكة'),
  ]),
  form('feedback', both('Feedback and complaints', 'ملاحظات وشكاوى'), [
    both('Branch', 'الفرع'),
    both('What happened?', 'ماذا حدث؟'),
  ]),
  form('jobs', both('Work with us', 'اعمل معنا'), [both('Your experience', 'خبرتك')], false),
];

/** A bakery that also caters for events. */
export const bakery = () =>
  workspace('Hearth Bakery', 'KWD', { cms: { models, entries: [...published, ...hidden] }, menu, forms });
