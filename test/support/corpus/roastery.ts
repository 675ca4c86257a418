import { both, categories, entries, fields, form, price, products, workspace } from './records.ts';

const models = [
  {
    id: 'plans',
    name: both('Subscriptions', 'الاشتراكات'),
    fields: [
      ...fields('text', { 'plan*': both('Plan', 'الباقة') }),
      ...fields('longText', { 'contents*': both('You get', 'تحصل على') }),
      ...fields('number', { fee: both('OMR per month', 'ريال عماني في الشهر') }),
    ],
  },
  {
    id: 'tastings',
    name: both('Tastings and workshops', 'جلسات التذوق والورش'),
    fields: [
      ...fields('text', { 'title*': both('Title', 'العنوان') }),
      ...fields('datetime', { starts: both('Starts', 'تبدأ') }),
      ...fields('number', { seats: both('Seats', 'المقاعد'), fee: both('Fee in OMR', 'الرسوم بالريال العماني') }),
      ...fields('relation', { host: both('Host', 'المضيف') }, { relation: { to: 'cms:baristas', many: false } }),
    ],
  },
  {
    id: 'baristas',
    name: both('Crew', 'الطاقم'),
    fields: [
      ...fields('text', { 'name*': both('Name', 'الاسم'), 'role*': both('Role', 'الدور') }),
      ...fields('longText', { 'bio*': both('Bio', 'نبذة') }),
      ...fields('phone', { private: both('Private phone', 'هاتف خاص') }, { hidden: true }),
    ],
  },
  {
    id: 'help',
    name: both('Help', 'مساعدة'),
    fields: [...fields('text', { 'q*': both('Q', 'س') }), ...fields('richText', { 'a*': both('A', 'ج') })],
  },
];

const published = [
  ...entries('plans', {
    solo: {
      plan: both('Solo', 'فردي'),
      contents: both('One bag of 250 g every month.', 'كيس واحد 250 غرامًا كل شهر.'),
      fee: 4.5,
    },
    office: {
      plan: both('Office', 'مكتبي'),
      contents: both('Three kilos and free grinder service.', 'ثلاثة كيلوغرامات وصيانة مجانية للمطحنة.'),
      fee: 39,
    },
  }),
  ...entries('baristas', {
    salim: {
      name: both('Salim Al Harthy', 'سالم الحارثي'),
      role: both('Head roaster', 'رئيس التحميص'),
      bio: both('Roasts since 2009 and buys in Yirgacheffe himself.', 'يحمص منذ 2009 ويشتري بنفسه من يرغاتشيفي.'),
      private: '+968 9111 2222',
    },
    mei: {
      name: both('Mei Wong', 'مي وونغ'),
      role: both('Latte art trainer', 'مدربة فن اللاتيه'),
      bio: both('Won the national latte art cup in 2024.', 'فازت بكأس فن اللاتيه الوطني عام 2024.'),
      private: '+968 9333 4444',
    },
  }),
  ...entries('tastings', {
    cupping: {
      title: both('Open cupping', 'تذوق مفتوح'),
      starts: '2026-12-05T17:00:00+04:00',
      seats: 12,
      fee: 0,
      host: 'salim',
    },
    art: {
      title: both('Latte art for beginners', 'فن اللاتيه للمبتدئين'),
      starts: '2026-12-11T10:30:00+04:00',
      seats: 6,
      fee: 15,
      host: 'mei',
    },
  }),
  ...entries('help', {
    hours: {
      q: both('When are you open?', 'متى تفتحون؟'),
      a: both(
        'Saturday to Thursday **7:00 to 22:00**, Friday from 15:00.',
        'من السبت إلى الخميس **7:00 إلى 22:00**، والجمعة من 15:00.',
      ),
    },
    where: {
      q: both('Where is the roastery?', 'أين المحمصة؟'),
      a: both(
        'Way 3721, Ghala Heights, Muscat, behind the fire station.',
        'سكة 3721، مرتفعات غلا، مسقط، خلف محطة الإطفاء.',
      ),
    },
    ship: {
      q: both('How long does shipping take?', 'كم يستغرق الشحن؟'),
      a: both(
        'Muscat next day, elsewhere in Oman three days. We do not ship abroad.',
        'مسقط في اليوم التالي وباقي عُمان ثلاثة أيام. لا نشحن إلى الخارج.',
      ),
    },
    grind: {
      q: both('Do you grind the beans?', 'هل تطحنون البن؟'),
      a: both('Yes, free of charge, for any brewer.', 'نعم مجانًا لأي أداة تحضير.'),
    },
    pause: {
      q: both('Can I pause my subscription?', 'هل يمكنني إيقاف الاشتراك مؤقتًا؟'),
      a: both(
        'Pause or end it online up to five days before the next bag.',
        'أوقفه أو أنهه عبر الموقع قبل خمسة أيام من الكيس التالي.',
      ),
    },
    milk: {
      q: both('Which milks do you have?', 'ما أنواع الحليب لديكم؟'),
      a: both(
        'Cow, oat and coconut. Our blender also handles almonds.',
        'بقري وشوفان وجوز هند. وخلاطنا يستخدم للوز أيضًا.',
      ),
    },
    storing: {
      q: both('How should I keep my beans?', 'كيف أحفظ البن؟'),
      a: both('Closed, dark, and not in the fridge.', 'في مكان مغلق ومظلم وليس في الثلاجة.'),
    },
    returns: {
      q: both('What if my order is damaged?', 'ماذا لو وصل طلبي تالفًا؟'),
      a: both('Send us a photo within 48 hours and we replace it.', 'أرسل لنا صورة خلال 48 ساعة ونستبدله.'),
    },
  }),
  ...entries(
    'help',
    { wholesale: { q: both('Wholesale prices', 'أسعار الجملة'), a: both('From 20 kg: 9.2 OMR.', 'من 20 كغ: 9.2.') } },
    { published: false },
  ),
];

const bag = (amount: number, kilo: number) => [
  price(amount, both('250 g', '250 غ')),
  price(kilo, both('1 kg', '1 كغ')),
];

const menu = {
  categories: categories({
    beans: both('Beans', 'بن'),
    bar: both('Coffee bar', 'بار القهوة'),
    gear: both('Brewing gear', 'أدوات التحضير'),
  }),
  products: products({
    yirga: {
      name: both('Yirgacheffe', 'يرغاتشيفي'),
      intro: both('Jasmine and peach', 'ياسمين وخوخ'),
      description: both('Washed, light roast from Ethiopia.', 'مغسولة وتحميص فاتح من إثيوبيا.'),
      category: 'beans',
      prices: bag(5.2, 18.5),
      createdAt: '2026-03-01T00:00:00.000Z',
    },
    mokha: {
      name: both('Mokha Matari', 'مخا مطري'),
      description: both('Natural, dark chocolate and raisin, from Yemen.', 'مجففة، شوكولاتة داكنة وزبيب، من اليمن.'),
      category: 'beans',
      prices: bag(7.9, 28),
      soldout: true,
      createdAt: '2026-03-01T00:00:00.000Z',
    },
    decaf: {
      name: both('Swiss water decaf', 'منزوعة الكافيين'),
      description: both('Without caffeine, from Colombia.', 'من دون كافيين، من كولومبيا.'),
      category: 'beans',
      prices: bag(4.8, 17),
      createdAt: '2026-03-01T00:00:00.000Z',
    },
    geisha: {
      name: both('Panama Geisha', 'غيشا بنما'),
      category: 'beans',
      prices: [price(24.75, both('100 g', '100 غ'))],
      createdAt: '2026-11-10T00:00:00.000Z',
    },
    flat: {
      name: both('Flat white', 'فلات وايت'),
      category: 'bar',
      prices: [price(1.6)],
      nutritionFacts: {
        servingSize: '180 ml',
        calories: 110,
        protein: 6,
        carbohydrates: 9,
        fat: 6,
        sugar: 8,
        sodium: 80,
        allergens: ['MILK'],
        dietary: ['VEGETARIAN'],
      },
      optionSets: [
        {
          id: 'milks',
          name: both('Milk', 'الحليب'),
          options: [
            { id: 'cow', name: both('Cow milk', 'حليب بقري'), price: 0, default: true },
            { id: 'oat', name: both('Oat milk', 'حليب الشوفان'), price: 0.3 },
            { id: 'coconut', name: both('Coconut milk', 'حليب جوز الهند'), price: 0.35 },
          ],
        },
      ],
    },
    omani: {
      name: both('Omani coffee', 'قهوة عمانية'),
      category: 'bar',
      prices: [price(0.9, both('Cup', 'فنجان')), price(3.5, both('Dallah', 'دلة'))],
      preparationTime: 8,
      nutritionFacts: {
        servingSize: '1 cup',
        calories: 5,
        protein: 0,
        carbohydrates: 1,
        fat: 0,
        sugar: 0,
        sodium: 2,
        allergens: [],
        dietary: ['VEGAN', 'VEGETARIAN'],
      },
    },
    cold: { name: both('Cold brew', 'كولد برو'), category: 'bar', prices: [price(1.9)], preparationTime: 2 },
    v60: { name: both('V60 dripper', 'قمع V60'), category: 'gear', prices: [price(9.5)] },
    kettle: { name: both('Gooseneck kettle', 'غلاية بعنق إوزة'), category: 'gear', prices: [price(32)] },
    mill: { name: both('Hand grinder', 'مطحنة يدوية'), category: 'gear', prices: [price(41.5)] },
    syphon: { name: both('Syphon', 'سيفون'), category: 'gear', prices: [price(55)], published: false },
  }),
};

const forms = [
  form('workshop-seat', both('Reserve a workshop seat', 'احجز مقعدًا في ورشة'), [
    both('Name', 'الاسم'),
    both('Workshop', 'الورشة'),
  ]),
  form(
    'wholesale',
    both('Wholesale enquiry', 'استفسار الجملة'),
    [both('Company', 'الشركة'), both('Kilos per month', 'كيلوغرامات في الشهر')],
    false,
  ),
  form('say-hello', both('Say hello', 'راسلنا'), [both('Your message', 'رسالتك')]),
];

/** A coffee roastery: beans by weight, plans by month, workshops by day, questions under short field names. */
export const roastery = () => workspace('Ghala Roasters', 'OMR', { cms: { models, entries: published }, menu, forms });
