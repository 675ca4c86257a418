import { bothLanguages, entries, fields, form, workspace } from './records.ts';

const models = [
  {
    id: 'treatments',
    name: bothLanguages('Treatments', 'العلاجات'),
    fields: [
      ...fields('text', { 'treatment*': bothLanguages('Treatment', 'العلاج') }),
      ...fields('longText', { 'summary*': bothLanguages('Summary', 'نبذة') }),
      ...fields('number', { charge: bothLanguages('Price in SAR', 'السعر بالريال السعودي') }),
      ...fields('text', { 'duration*': bothLanguages('Duration', 'المدة') }),
      ...fields(
        'relation',
        { doctor: bothLanguages('Dentist', 'الطبيب') },
        { relation: { to: 'cms:dentists', many: false } },
      ),
      ...fields('number', { cost: bothLanguages('Our cost', 'تكلفتنا') }, { hidden: true }),
    ],
  },
  {
    id: 'dentists',
    name: bothLanguages('Dentists', 'الأطباء'),
    fields: [
      ...fields('text', { 'name*': bothLanguages('Name', 'الاسم') }),
      ...fields('longText', { 'bio*': bothLanguages('About', 'نبذة') }),
      ...fields(
        'multiSelect',
        { speaks: bothLanguages('Languages', 'اللغات') },
        {
          options: [
            { value: 'ar', label: bothLanguages('Arabic', 'العربية') },
            { value: 'en', label: bothLanguages('English', 'الإنجليزية') },
            { value: 'ur', label: bothLanguages('Urdu', 'الأردية') },
          ],
        },
      ),
      ...fields('phone', { mobile: bothLanguages('Mobile', 'الجوال') }, { hidden: true }),
    ],
  },
  {
    id: 'clinic',
    name: bothLanguages('Clinic', 'العيادة'),
    fields: [
      ...fields('text', { 'label*': bothLanguages('Clinic', 'العيادة') }),
      ...fields('text', { 'address*': bothLanguages('Address', 'العنوان') }),
      ...fields('longText', { 'hours*': bothLanguages('Working hours', 'ساعات العمل') }),
      ...fields('phone', { phone: bothLanguages('Phone', 'الهاتف') }),
      ...fields('phone', { emergency: bothLanguages('Emergency number', 'رقم الطوارئ') }),
    ],
  },
  {
    id: 'faqs',
    name: bothLanguages('FAQ', 'الأسئلة الشائعة'),
    fields: [
      ...fields('text', { 'q*': bothLanguages('Question', 'السؤال') }),
      ...fields('longText', { 'a*': bothLanguages('Answer', 'الجواب') }),
    ],
  },
];

const published = [
  ...entries('dentists', {
    sami: {
      name: bothLanguages('Dr. Sami Haddad', 'د. سامي حداد'),
      bio: bothLanguages('Orthodontist, 14 years of braces and aligners.', 'أخصائي تقويم، خبرة 14 سنة.'),
      speaks: ['ar', 'en'],
      mobile: '+966 55 100 0001',
    },
    ayesha: {
      name: bothLanguages('Dr. Ayesha Malik', 'د. عائشة مالك'),
      bio: bothLanguages('Looks after children and anxious patients.', 'تعتني بالأطفال وبمن يخاف من العلاج.'),
      speaks: ['en', 'ur'],
      mobile: '+966 55 100 0002',
    },
  }),
  ...entries('treatments', {
    cleaning: {
      treatment: bothLanguages('Scaling and polishing', 'تنظيف وتلميع الأسنان'),
      summary: bothLanguages('Removes tartar and stains.', 'يزيل الجير والتصبغات.'),
      charge: 250,
      duration: bothLanguages('40 minutes', '40 دقيقة'),
      doctor: 'ayesha',
      cost: 61,
    },
    whitening: {
      treatment: bothLanguages('Laser whitening', 'تبييض بالليزر'),
      summary: bothLanguages('Up to six shades brighter in one visit.', 'أفتح حتى ست درجات في زيارة واحدة.'),
      charge: 1100,
      duration: bothLanguages('90 minutes', '90 دقيقة'),
      cost: 333,
    },
    braces: {
      treatment: bothLanguages('Metal braces', 'تقويم معدني'),
      summary: bothLanguages(
        'Checked every four weeks; paid in 12 instalments.',
        'مراجعة كل أربعة أسابيع، ويقسط على 12 دفعة.',
      ),
      charge: 5500,
      duration: bothLanguages('18 months', '18 شهرًا'),
      doctor: 'sami',
      cost: 1777,
    },
    aligners: {
      treatment: bothLanguages('Clear aligners', 'تقويم شفاف'),
      summary: bothLanguages('Removable and nearly invisible.', 'قابل للإزالة وشبه غير مرئي.'),
      charge: 9800,
      duration: bothLanguages('12 months', '12 شهرًا'),
      doctor: 'sami',
      cost: 4444,
    },
    canal: {
      treatment: bothLanguages('Root canal', 'علاج العصب'),
      summary: bothLanguages('One or two visits with local anaesthesia.', 'زيارة أو زيارتان مع تخدير موضعي.'),
      charge: 900,
      duration: bothLanguages('60 minutes', '60 دقيقة'),
      cost: 210,
    },
  }),
  ...entries('clinic', {
    olaya: {
      label: bothLanguages('Ivory Dental, Olaya', 'عاج لطب الأسنان، العليا'),
      address: bothLanguages('Olaya Street 210, third floor, Riyadh', 'شارع العليا 210، الدور الثالث، الرياض'),
      hours: bothLanguages(
        'Sunday to Thursday 9 am to 9 pm, Saturday 2 pm to 9 pm, closed on Friday.',
        'من الأحد إلى الخميس 9 صباحًا إلى 9 مساءً، والسبت من 2 إلى 9 مساءً، والجمعة مغلق.',
      ),
      phone: '+966 11 400 2100',
      emergency: '+966 11 400 2199',
    },
  }),
  ...entries('faqs', {
    insurance: {
      q: bothLanguages('Which insurance do you accept?', 'أي تأمين تقبلون؟'),
      a: bothLanguages('Bupa, Tawuniya and Medgulf class A and B.', 'بوبا والتعاونية وميدغلف فئة أ وب.'),
    },
    instalments: {
      q: bothLanguages('Can I pay in instalments?', 'هل يمكنني التقسيط؟'),
      a: bothLanguages('Yes, with Tabby or Tamara above 500 SAR.', 'نعم، عبر تابي أو تمارا لما فوق 500 ريال.'),
    },
    parking: {
      q: bothLanguages('Is there parking?', 'هل توجد مواقف؟'),
      a: bothLanguages(
        'Free in the basement, enter from the back street.',
        'مجانية في القبو، والدخول من الشارع الخلفي.',
      ),
    },
    pain: {
      q: bothLanguages('Does it hurt?', 'هل العلاج مؤلم؟'),
      a: bothLanguages(
        'We numb the tooth first; most patients feel only pressure.',
        'نخدر السن أولًا، ولا يشعر أغلب المراجعين إلا بضغط.',
      ),
    },
    cancel: {
      q: bothLanguages('Changing or cancelling an appointment', 'تغيير الموعد أو إلغاؤه'),
      a: bothLanguages(
        'Free until 24 hours before; later we charge 100 SAR.',
        'مجانًا حتى 24 ساعة قبل الموعد، وبعدها نحتسب 100 ريال.',
      ),
    },
    pregnant: {
      q: bothLanguages('Can pregnant women be treated?', 'هل يمكن علاج الحامل؟'),
      a: bothLanguages('Cleaning is safe; we avoid X-rays.', 'التنظيف آمن، ونتجنب الأشعة.'),
    },
  }),
];

const hidden = [
  ...entries(
    'treatments',
    {
      implants: {
        treatment: bothLanguages('Titanium implant', 'زراعة تيتانيوم'),
        summary: bothLanguages('From next year.', 'من السنة القادمة.'),
        charge: 4200,
      },
    },
    { published: false },
  ),
];

const forms = [
  form('appointment', bothLanguages('Request an appointment', 'طلب موعد'), [
    bothLanguages('Full name', 'الاسم الكامل'),
    bothLanguages('Mobile number', 'رقم الجوال'),
    bothLanguages('Preferred day', 'اليوم المناسب'),
  ]),
  form('complaints', bothLanguages('Complaints and suggestions', 'الشكاوى والاقتراحات'), [
    bothLanguages('Text', 'النص'),
  ]),
  form('research', bothLanguages('Research volunteers', 'متطوعو الأبحاث'), [bothLanguages('Age', 'العمر')], false),
];

/** A dental clinic without a menu. All its data is in the CMS, and its hours are free text. */
export const dental = () =>
  workspace('Ivory Dental', 'SAR', { cms: { models, entries: [...published, ...hidden] }, forms });
