import { both, entries, fields, form, workspace } from './records.ts';

const models = [
  {
    id: 'services',
    name: both('Services', 'الخدمات'),
    fields: [
      ...fields('text', { 'service*': both('Service', 'الخدمة') }),
      ...fields('longText', { 'scope*': both('Scope', 'النطاق') }),
      ...fields('text', { 'startingPrice*': both('Starting price', 'السعر الابتدائي') }),
      ...fields('text', { 'duration*': both('Duration', 'المدة') }),
      ...fields('number', { internalRate: both('Internal rate', 'السعر الداخلي') }, { hidden: true }),
    ],
  },
  {
    id: 'work',
    name: both('Case studies', 'أعمالنا'),
    fields: [
      ...fields('text', { 'client*': both('Client', 'العميل') }),
      ...fields('longText', { 'story*': both('Story', 'القصة') }),
      ...fields('number', { year: both('Year', 'السنة') }),
      ...fields('url', { link: both('Link', 'الرابط') }),
    ],
  },
  {
    id: 'people',
    name: both('People', 'الفريق'),
    fields: [
      ...fields('text', { 'fullName*': both('Full name', 'الاسم الكامل'), 'position*': both('Position', 'المنصب') }),
      ...fields('email', { mail: both('E-mail', 'البريد') }),
      ...fields('number', { salary: both('Salary', 'الراتب') }, { hidden: true }),
    ],
  },
  {
    id: 'office',
    name: both('Office', 'المكتب'),
    fields: [
      ...fields('text', { 'city*': both('City', 'المدينة') }),
      ...fields('longText', { 'whereabouts*': both('Address', 'العنوان') }),
      ...fields('json', { opening: both('Opening hours', 'ساعات العمل') }),
      ...fields('phone', { landline: both('Phone', 'الهاتف') }),
    ],
  },
  {
    id: 'answers',
    name: both('Common questions', 'أسئلة شائعة'),
    fields: [
      ...fields('text', { 'question*': both('Question', 'السؤال') }),
      ...fields('longText', { 'reply*': both('Reply', 'الرد') }),
    ],
  },
];

const day = [['09:00', '17:30']];

const published = [
  ...entries('services', {
    branding: {
      service: both('Brand identity', 'الهوية البصرية'),
      scope: both('Logo, colours, type and a guide of 40 pages.', 'شعار وألوان وخطوط ودليل من 40 صفحة.'),
      startingPrice: both('from 6,500 JOD', 'ابتداءً من 6,500 دينار'),
      duration: both('six weeks', 'ستة أسابيع'),
      internalRate: 77,
    },
    website: {
      service: both('Website', 'موقع إلكتروني'),
      scope: both('Design, texts and build in two languages.', 'تصميم ونصوص وبناء بلغتين.'),
      startingPrice: both('from 4,200 JOD', 'ابتداءً من 4,200 دينار'),
      duration: both('eight weeks', 'ثمانية أسابيع'),
      internalRate: 61,
    },
    social: {
      service: both('Social media management', 'إدارة وسائل التواصل الاجتماعي'),
      scope: both('Twelve posts and four reels a month.', 'اثنا عشر منشورًا وأربعة مقاطع في الشهر.'),
      startingPrice: both('850 JOD a month', '850 دينارًا في الشهر'),
      duration: both('at least three months', 'ثلاثة أشهر على الأقل'),
      internalRate: 40,
    },
    photo: {
      service: both('Food photography', 'تصوير الطعام'),
      scope: both('A day in our studio with a stylist.', 'يوم في الاستوديو مع منسقة.'),
      startingPrice: both('600 JOD a day', '600 دينار في اليوم'),
      duration: both('one day', 'يوم واحد'),
      internalRate: 30,
    },
  }),
  ...entries('work', {
    olive: {
      client: both('Ajloun Olive Press', 'معصرة عجلون'),
      story: both('New labels doubled the exports in one year.', 'ضاعفت الملصقات الجديدة الصادرات في سنة واحدة.'),
      year: 2024,
      link: 'https://work.example/olive',
    },
    bank: {
      client: both('Petra Microbank', 'بنك البتراء الصغير'),
      story: both('An app that opens an account in four minutes.', 'تطبيق يفتح حسابًا في أربع دقائق.'),
      year: 2025,
      link: 'https://work.example/bank',
    },
  }),
  ...entries('people', {
    dina: {
      fullName: both('Dina Khoury', 'دينا خوري'),
      position: both('Creative director', 'المديرة الإبداعية'),
      mail: 'dina@studio.example',
      salary: 4100,
    },
    omar: {
      fullName: both('Omar Haddad', 'عمر حداد'),
      position: both('Account manager', 'مدير حسابات'),
      mail: 'omar@studio.example',
      salary: 2300,
    },
  }),
  ...entries('office', {
    amman: {
      city: both('Amman', 'عمّان'),
      whereabouts: both('Rainbow Street 18, second floor', 'شارع الرينبو 18، الطابق الثاني'),
      opening: { sun: day, mon: day, tue: day, wed: day, thu: day, fri: [], sat: [] },
      landline: '+962 6 400 2000',
    },
  }),
  ...entries('answers', {
    revisions: {
      question: both('How many revisions are included?', 'كم عدد التعديلات المشمولة؟'),
      reply: both('Three rounds; each further one costs 120 JOD.', 'ثلاث جولات، وكل جولة إضافية بـ 120 دينارًا.'),
    },
    payment: {
      question: both('How do we pay?', 'كيف ندفع؟'),
      reply: both(
        '40% at the start, the rest on delivery, by bank transfer.',
        '40٪ عند البداية والباقي عند التسليم بتحويل بنكي.',
      ),
    },
    ownership: {
      question: both('Who owns the files?', 'من يملك الملفات؟'),
      reply: both('You do, with the last payment.', 'أنتم، مع آخر دفعة.'),
    },
    abroad: {
      question: both('Do you work with clients abroad?', 'هل تعملون مع عملاء في الخارج؟'),
      reply: both('Yes, half of our clients are in the Gulf.', 'نعم، نصف عملائنا في الخليج.'),
    },
    intern: {
      question: both('Do you take interns?', 'هل تقبلون متدربين؟'),
      reply: both('Two each summer; write before April.', 'اثنان كل صيف، راسلونا قبل أبريل.'),
    },
  }),
  ...entries(
    'work',
    {
      secret: {
        client: both('Royal Wings', 'الأجنحة الملكية'),
        story: both('Still under a secrecy agreement.', 'ما زال تحت اتفاقية سرية.'),
        year: 2026,
      },
    },
    { published: false },
  ),
];

const forms = [
  form('brief', both('Project brief', 'موجز المشروع'), [
    both('Company', 'الشركة'),
    both('What do you need?', 'ما الذي تحتاجه؟'),
    both('Budget', 'الميزانية'),
  ]),
  form('call', both('Book a call', 'احجز مكالمة'), [both('Your name', 'اسمك'), both('Good times', 'أوقات مناسبة')]),
];

/** An agency without a menu: all that it sells is entries, with prices in words. */
export const agency = () => workspace('Studio Sumac', 'JOD', { cms: { models, entries: published }, forms });
