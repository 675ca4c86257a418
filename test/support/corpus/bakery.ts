import { bothLanguages, categories, entries, fields, form, price, products, workspace } from './records.ts';

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
    name: bothLanguages('Branches', 'الفروع'),
    fields: [
      ...fields('text', { 'name*': bothLanguages('Name', 'الاسم') }),
      ...fields('longText', { 'address*': bothLanguages('Address', 'العنوان') }),
      ...fields('json', { hours: bothLanguages('Opening hours', 'أوقات الدوام') }),
      ...fields('phone', { whatsapp: bothLanguages('WhatsApp', 'واتساب') }),
      ...fields('boolean', { driveThrough: bothLanguages('Drive-through', 'خدمة السيارات') }),
      ...fields('phone', { managerPhone: bothLanguages('Phone of the manager', 'هاتف المدير') }, { hidden: true }),
    ],
  },
  {
    id: 'pages',
    name: bothLanguages('Pages', 'الصفحات'),
    fields: [
      ...fields('text', { 'title*': bothLanguages('Title', 'العنوان') }),
      ...fields('richText', { 'body*': bothLanguages('Text', 'النص') }),
    ],
  },
  {
    id: 'packages',
    name: bothLanguages('Event packages', 'باقات المناسبات'),
    fields: [
      ...fields('text', { 'name*': bothLanguages('Name', 'الاسم') }),
      ...fields('longText', { 'includes*': bothLanguages('What is included', 'ما تشمله الباقة') }),
      ...fields('number', {
        pricePerGuest: bothLanguages('Price per guest in KWD', 'السعر للضيف بالدينار'),
        guests: bothLanguages('Minimum number of guests', 'أقل عدد للضيوف'),
      }),
      ...fields('number', { margin: bothLanguages('Margin', 'هامش الربح') }, { hidden: true }),
    ],
  },
  {
    id: 'faq',
    name: bothLanguages('Questions and answers', 'أسئلة وأجوبة'),
    fields: [
      ...fields('text', { 'question*': bothLanguages('Question', 'السؤال') }),
      ...fields('longText', { 'answer*': bothLanguages('Answer', 'الجواب') }),
    ],
  },
];

const published = [
  ...entries('branches', {
    salmiya: {
      name: bothLanguages('Salmiya', 'السالمية'),
      address: bothLanguages('Salem Al Mubarak Street, block 4', 'شارع سالم المبارك، قطعة ٤'),
      hours: { week: { ...week, fri: [['08:00', '23:00']] } },
      whatsapp: '+965 2222 0101',
      driveThrough: true,
      managerPhone: '+965 9999 7777',
    },
    jahra: {
      name: bothLanguages('Jahra', 'الجهراء'),
      address: bothLanguages('Marzouq Al Mutaab Street, next to the park', 'شارع مرزوق المتعب، بجانب الحديقة'),
      hours: { week: { ...week, fri: [] } },
      whatsapp: '+965 2222 0102',
      driveThrough: false,
      managerPhone: '+965 9999 8888',
    },
  }),
  ...entries('pages', {
    about: {
      title: bothLanguages('About us', 'من نحن'),
      body: bothLanguages(
        'Two sisters, **Maha and Hala**, opened the oven in 2014.\n\nOur starter is older than the shop.',
        'افتتحت الأختان **مها وهلا** الفرن في عام ٢٠١٤.\n\nخميرتنا أقدم من المحل.',
      ),
    },
    ramadan: {
      title: bothLanguages('Hours in Ramadan', 'أوقات العمل في رمضان'),
      body: bothLanguages(
        '## Ramadan\n\nIn Ramadan both shops open at **14:00** and close at **01:30**.',
        '## رمضان\n\nفي رمضان يفتح المحلان الساعة **14:00** ويغلقان الساعة **01:30**.',
      ),
    },
    loyalty: {
      title: bothLanguages('Crumb card', 'بطاقة الفتات'),
      body: bothLanguages(
        'Collect a stamp with every loaf. The tenth loaf is free.',
        'اجمع ختمًا مع كل رغيف، والرغيف العاشر مجاني.',
      ),
    },
  }),
  ...entries('packages', {
    majlis: {
      name: bothLanguages('Majlis breakfast', 'فطور المجلس'),
      includes: bothLanguages(
        'Fatayer, croissants, labneh and tea for your guests.',
        'فطائر وكرواسون ولبنة وشاي لضيوفكم.',
      ),
      pricePerGuest: 3.5,
      guests: 15,
      margin: 41,
    },
    wedding: {
      name: bothLanguages('Wedding table', 'طاولة العرس'),
      includes: bothLanguages(
        'Three-tier cake, petit fours and two waiters.',
        'كيكة من ثلاث طبقات وحلويات صغيرة ومضيفان.',
      ),
      pricePerGuest: 7.25,
      guests: 60,
      margin: 44,
    },
  }),
  ...entries('faq', {
    cancel: {
      question: bothLanguages('Can I cancel my order?', 'هل يمكنني إلغاء طلبي؟'),
      answer: bothLanguages('Yes, up to 24 hours before pick-up.', 'نعم، حتى 24 ساعة قبل الاستلام.'),
    },
    delivery: {
      question: bothLanguages('Do you deliver?', 'هل لديكم توصيل؟'),
      answer: bothLanguages(
        'Yes, everywhere in Kuwait City. Delivery costs 1.5 KWD and is free above 15 KWD.',
        'نعم، في كل مدينة الكويت. رسوم التوصيل 1.5 دينار وهو مجاني فوق 15 دينارًا.',
      ),
    },
    payment: {
      question: bothLanguages('How can I pay?', 'كيف يمكنني الدفع؟'),
      answer: bothLanguages('KNET, Visa, Apple Pay and cash.', 'كي نت وفيزا وأبل باي ونقدًا.'),
    },
    nuts: {
      question: bothLanguages('Is your kitchen free of nuts?', 'هل مطبخكم خالٍ من المكسرات؟'),
      answer: bothLanguages(
        'No, we bake with almonds and walnuts in the same kitchen.',
        'لا، نخبز باللوز والجوز في المطبخ نفسه.',
      ),
    },
    storing: {
      question: bothLanguages('How do I store sourdough?', 'كيف أحفظ خبز العجين المخمر؟'),
      answer: bothLanguages(
        'Cut side down on a board, never in the fridge.',
        'على لوح خشبي وجهة القطع للأسفل، لا في الثلاجة.',
      ),
    },
  }),
];

const hidden = [
  ...entries(
    'faq',
    {
      franchise: {
        question: bothLanguages('Do you franchise?', 'هل تمنحون الامتياز التجاري؟'),
        answer: bothLanguages('Talks with Doha begin in May.', 'تبدأ المحادثات مع الدوحة في مايو.'),
      },
    },
    { published: false },
  ),
  ...entries(
    'branches',
    { fahaheel: { name: bothLanguages('Fahaheel', 'الفحيحيل'), address: bothLanguages('Coast Road', 'طريق الساحل') } },
    { published: false },
  ),
];

const menu = {
  categories: categories({
    breads: bothLanguages('Breads', 'الخبز'),
    cakes: bothLanguages('Cakes', 'الكيك'),
    pastries: bothLanguages('Pastries', 'المعجنات'),
    sandwiches: bothLanguages('Sandwiches', 'الساندويتشات'),
    hot_drinks: bothLanguages('Hot drinks', 'المشروبات الساخنة'),
  }),
  products: products({
    sourdough: {
      name: bothLanguages('Sourdough loaf', 'خبز العجين المخمر'),
      category: 'breads',
      prices: [price(1.75)],
      preparationTime: 5,
      ...facts(240, ['GLUTEN'], ['VEGAN']),
    },
    date_bread: {
      name: bothLanguages('Date and walnut bread', 'خبز التمر والجوز'),
      category: 'breads',
      prices: [price(2.25)],
      ...facts(310, ['GLUTEN', 'TREE_NUTS']),
    },
    baguette: { name: bothLanguages('Baguette', 'باغيت'), category: 'breads', prices: [price(0.65)] },
    rice_loaf: {
      name: bothLanguages('Rice flour loaf', 'خبز دقيق الأرز'),
      category: 'breads',
      prices: [price(2.9)],
      ...facts(190, [], ['GLUTEN_FREE', 'VEGAN']),
    },
    fudge_cake: {
      name: bothLanguages('Chocolate fudge cake', 'كيكة الشوكولاتة'),
      description: bothLanguages('Dark Belgian chocolate in four layers.', 'شوكولاتة بلجيكية داكنة في أربع طبقات.'),
      category: 'cakes',
      prices: [
        price(9.5, bothLanguages('Small, 6 slices', 'صغيرة، 6 قطع')),
        price(16, bothLanguages('Large, 12 slices', 'كبيرة، 12 قطعة')),
      ],
      preparationTime: 90,
      ...facts(430, ['GLUTEN', 'MILK', 'EGGS'], ['VEGETARIAN']),
    },
    rose_cake: {
      name: bothLanguages('Pistachio rose cake', 'كيكة الفستق والورد'),
      category: 'cakes',
      prices: [price(18)],
      ...facts(390, ['TREE_NUTS', 'MILK', 'EGGS']),
    },
    carrot_cake: {
      name: bothLanguages('Carrot cake', 'كيكة الجزر'),
      category: 'cakes',
      prices: [price(8.75)],
      soldout: true,
    },
    cheesecake: { name: bothLanguages('Lotus cheesecake', 'تشيز كيك اللوتس'), category: 'cakes', prices: [price(11)] },
    croissant: {
      name: bothLanguages('Butter croissant', 'كرواسون بالزبدة'),
      category: 'pastries',
      prices: [price(0.75)],
    },
    almond_croissant: {
      name: bothLanguages('Almond croissant', 'كرواسون باللوز'),
      category: 'pastries',
      prices: [price(1.1)],
    },
    fatayer: {
      name: bothLanguages('Cheese fatayer', 'فطائر الجبن'),
      category: 'pastries',
      prices: [price(0.5)],
      preparationTime: 12,
    },
    cinnamon_roll: {
      name: bothLanguages('Cinnamon roll', 'لفائف القرفة'),
      category: 'pastries',
      prices: [price(1.2)],
      soldout: true,
    },
    halloumi_sandwich: {
      name: bothLanguages('Halloumi sandwich', 'ساندويتش حلوم'),
      category: 'sandwiches',
      prices: [price(2.1)],
    },
    turkey_sandwich: {
      name: bothLanguages('Turkey and cheese sandwich', 'ساندويتش ديك رومي بالجبن'),
      category: 'sandwiches',
      prices: [price(2.4)],
    },
    tuna_sandwich: {
      name: bothLanguages('Tuna sandwich', 'ساندويتش تونة'),
      category: 'sandwiches',
      prices: [price(1.95)],
      published: false,
    },
    cappuccino: {
      name: bothLanguages('Cappuccino', 'كابتشينو'),
      category: 'hot_drinks',
      prices: [price(1.6, bothLanguages('Small', 'صغير')), price(1.9, bothLanguages('Large', 'كبير'))],
    },
    spanish_latte: { name: bothLanguages('Spanish latte', 'سبانش لاتيه'), category: 'hot_drinks', prices: [price(2)] },
    karak: { name: bothLanguages('Karak tea', 'شاي كرك'), category: 'hot_drinks', prices: [price(0.8)] },
  }),
};

const forms = [
  form('event-inquiry', bothLanguages('Event inquiry', 'طلب مناسبة'), [
    bothLanguages('Your name', 'الاسم'),
    bothLanguages('Date of the event', 'تاريخ المناسبة'),
    bothLanguages('Guests', 'عدد الضيوف'),
  ]),
  form('custom-cake', bothLanguages('Custom cake order', 'طلب كيكة خاصة'), [
    bothLanguages('Flavour', 'النكهة'),
    bothLanguages('Text on the cake', 'النص على الكيكة'),
  ]),
  form('feedback', bothLanguages('Feedback and complaints', 'ملاحظات وشكاوى'), [
    bothLanguages('Branch', 'الفرع'),
    bothLanguages('What happened?', 'ماذا حدث؟'),
  ]),
  form('jobs', bothLanguages('Work with us', 'اعمل معنا'), [bothLanguages('Your experience', 'خبرتك')], false),
];

/** A bakery that also caters for events. */
export const bakery = () =>
  workspace('Hearth Bakery', 'KWD', { cms: { models, entries: [...published, ...hidden] }, menu, forms });
