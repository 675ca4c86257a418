import { both, categories, entries, fields, form, price, products, workspace } from './records.ts';

const models = [
  {
    id: 'classes',
    name: both('Classes', 'الحصص'),
    fields: [
      ...fields('text', { 'class*': both('Class', 'الحصة') }),
      ...fields('text', { 'schedule*': both('Schedule', 'الجدول') }),
      ...fields('number', { dropIn: both('Drop-in fee (AED)', 'رسوم الحضور (درهم)') }),
      ...fields('relation', { coach: both('Coach', 'المدرب') }, { relation: { to: 'cms:coaches', many: false } }),
    ],
  },
  {
    id: 'coaches',
    name: both('Coaches', 'المدربون'),
    fields: [
      ...fields('text', { 'coach*': both('Coach', 'المدرب') }),
      ...fields('longText', { 'about*': both('About', 'نبذة') }),
      ...fields('phone', { mobile: both('Mobile', 'الجوال') }, { hidden: true }),
    ],
  },
  {
    id: 'tiers',
    name: both('Memberships', 'العضويات'),
    fields: [
      ...fields('text', { 'tier*': both('Tier', 'الفئة') }),
      ...fields('longText', { 'perks*': both('Perks', 'المزايا') }),
      ...fields('text', { 'rate*': both('Rate', 'السعر') }),
    ],
  },
  {
    id: 'info_pages',
    name: both('Pages', 'الصفحات'),
    fields: [
      ...fields('text', { 'heading*': both('Heading', 'العنوان') }),
      ...fields('richText', { 'content*': both('Content', 'المحتوى') }),
    ],
  },
];

const published = [
  ...entries('coaches', {
    marco: {
      coach: both('Marco Silva', 'ماركو سيلفا'),
      about: both('Played on the Portuguese tour for nine years.', 'لعب تسع سنوات في البطولات البرتغالية.'),
      mobile: '+971 50 111 9999',
    },
    huda: {
      coach: both('Huda Rashid', 'هدى راشد'),
      about: both('Yoga teacher, trained in Mysore.', 'معلمة يوغا تدربت في ميسور.'),
      mobile: '+971 50 222 9999',
    },
  }),
  ...entries('classes', {
    beginners: {
      class: both('Padel for beginners', 'بادل للمبتدئين'),
      schedule: both('Mondays and Wednesdays 18:00', 'الاثنين والأربعاء 18:00'),
      dropIn: 90,
      coach: 'marco',
    },
    yoga: {
      class: both('Sunrise yoga', 'يوغا الشروق'),
      schedule: both('Daily 06:30', 'يوميًا 06:30'),
      dropIn: 55,
      coach: 'huda',
    },
  }),
  ...entries('tiers', {
    weekday: {
      tier: both('Weekday', 'أيام الأسبوع'),
      perks: both('Courts from Monday to Thursday, locker included.', 'الملاعب من الاثنين إلى الخميس مع خزانة.'),
      rate: both('420 AED a month', '420 درهمًا في الشهر'),
    },
    unlimited: {
      tier: both('Unlimited', 'بلا حدود'),
      perks: both('All courts and classes, two guest passes.', 'كل الملاعب والحصص وبطاقتا ضيف.'),
      rate: both('780 AED a month', '780 درهمًا في الشهر'),
    },
  }),
  ...entries('info_pages', {
    visit: {
      heading: both('Plan your visit', 'خطط لزيارتك'),
      content: both(
        'We are in Al Quoz, street 8, warehouse 41. Open every day from **06:00 to 23:30**.',
        'نحن في القوز، شارع 8، مستودع 41. نفتح كل يوم من **06:00 إلى 23:30**.',
      ),
    },
    rules: {
      heading: both('Court rules', 'قواعد الملعب'),
      content: both(
        'Non-marking shoes only. Cancel a court twelve hours ahead or pay in full.',
        'أحذية لا تترك أثرًا فقط. ألغِ الملعب قبل اثنتي عشرة ساعة أو ادفع كاملًا.',
      ),
    },
    bar_allergens: {
      heading: both('Allergens at our bar', 'مسببات الحساسية في البار'),
      content: both(
        'Our blenders are used for peanuts. Oat bowls have gluten; the açai bowl has none.',
        'تستخدم خلاطاتنا للفول السوداني. في أطباق الشوفان جلوتين وليس في طبق الأساي.',
      ),
    },
    kids: {
      heading: both('Junior academy', 'أكاديمية الناشئين'),
      content: both(
        'Ages 7 to 14, Saturdays at 9:00, 350 AED a term.',
        'من 7 إلى 14 سنة، السبت 9:00، 350 درهمًا للفصل.',
      ),
    },
    rackets: {
      heading: both('Racket hire', 'تأجير المضارب'),
      content: both('25 AED per session; balls are free.', '25 درهمًا للجلسة والكرات مجانًا.'),
    },
  }),
  ...entries(
    'info_pages',
    {
      expansion: {
        heading: both('Second club', 'النادي الثاني'),
        content: both('Opens in Sharjah in May.', 'يفتتح في الشارقة في مايو.'),
      },
    },
    { published: false },
  ),
];

const menu = {
  categories: categories({
    courts: both('Courts', 'الملاعب'),
    smoothies: both('Smoothies', 'سموذي'),
    bowls: both('Bowls', 'أطباق صحية'),
  }),
  products: products({
    indoor: {
      name: both('Indoor court', 'ملعب داخلي'),
      category: 'courts',
      prices: [price(180, both('60 minutes', '60 دقيقة')), price(250, both('90 minutes', '90 دقيقة'))],
    },
    outdoor: { name: both('Outdoor court', 'ملعب خارجي'), category: 'courts', prices: [price(140)] },
    centre: { name: both('Centre court', 'الملعب الرئيسي'), category: 'courts', prices: [price(320)], soldout: true },
    green: {
      name: both('Green smoothie', 'سموذي أخضر'),
      description: both('Spinach, mango and ginger.', 'سبانخ ومانجو وزنجبيل.'),
      category: 'smoothies',
      prices: [price(24, both('Small', 'صغير')), price(31, both('Large', 'كبير'))],
      nutritionFacts: {
        servingSize: '350 ml',
        calories: 180,
        protein: 4,
        carbohydrates: 38,
        fat: 1,
        sugar: 30,
        sodium: 40,
        allergens: [],
        dietary: ['VEGAN'],
      },
      optionSets: [
        {
          id: 'boost',
          name: both('Boosters', 'معززات'),
          options: [
            { id: 'whey', name: both('Whey protein', 'بروتين مصل اللبن'), price: 8 },
            { id: 'chia', name: both('Chia seeds', 'بذور الشيا'), price: 4 },
          ],
        },
      ],
    },
    date: {
      name: both('Date shake', 'شيك التمر'),
      category: 'smoothies',
      prices: [price(28)],
      nutritionFacts: {
        servingSize: '350 ml',
        calories: 390,
        protein: 9,
        carbohydrates: 62,
        fat: 11,
        sugar: 50,
        sodium: 110,
        allergens: ['MILK', 'TREE_NUTS'],
        dietary: ['VEGETARIAN'],
      },
    },
    acai: { name: both('Açai bowl', 'طبق الأساي'), category: 'bowls', prices: [price(42)], preparationTime: 6 },
    oat: { name: both('Overnight oats', 'شوفان منقوع'), category: 'bowls', prices: [price(29)] },
    egg: {
      name: both('Egg and avocado bowl', 'طبق البيض والأفوكادو'),
      category: 'bowls',
      prices: [price(38)],
      published: false,
    },
  }),
};

const forms = [
  form('trial', both('Free trial class', 'حصة تجريبية مجانية'), [both('Your name', 'اسمك'), both('Class', 'الحصة')]),
  form('corporate', both('Corporate tournaments', 'بطولات الشركات'), [
    both('Company', 'الشركة'),
    both('Players', 'اللاعبون'),
  ]),
  form('feedback', both('Tell us what you think', 'شاركنا رأيك'), [both('Your feedback', 'رأيك')]),
];

/** A sports club with a bar: courts are products, hours and address stand in one page without a question. */
export const padelClub = () => workspace('Club Volea', 'AED', { cms: { models, entries: published }, menu, forms });
