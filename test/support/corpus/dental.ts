import { both, entries, fields, form, workspace } from './records.ts';

const models = [
  {
    id: 'treatments',
    name: both('Treatments', 'العلاجات'),
    fields: [
      ...fields('text', { 'treatment*': both('Treatment', 'العلاج') }),
      ...fields('longText', { 'summary*': both('Summary', 'نبذة') }),
      ...fields('number', { charge: both('Price in SAR', 'السعر بالريال السعودي') }),
      ...fields('text', { 'duration*': both('Duration', 'المدة') }),
      ...fields('relation', { doctor: both('Dentist', 'الطبيب') }, { relation: { to: 'cms:dentists', many: false } }),
      ...fields('number', { cost: both('Our cost', 'تكلفتنا') }, { hidden: true }),
    ],
  },
  {
    id: 'dentists',
    name: both('Dentists', 'الأطباء'),
    fields: [
      ...fields('text', { 'name*': both('Name', 'الاسم') }),
      ...fields('longText', { 'bio*': both('About', 'نبذة') }),
      ...fields(
        'multiSelect',
        { speaks: both('Languages', 'اللغات') },
        {
          options: [
            { value: 'ar', label: both('Arabic', 'العربية') },
            { value: 'en', label: both('English', 'الإنجليزية') },
            { value: 'ur', label: both('Urdu', 'الأردية') },
          ],
        },
      ),
      ...fields('phone', { mobile: both('Mobile', 'الجوال') }, { hidden: true }),
    ],
  },
  {
    id: 'clinic',
    name: both('Clinic', 'العيادة'),
    fields: [
      ...fields('text', { 'label*': both('Clinic', 'العيادة') }),
      ...fields('text', { 'address*': both('Address', 'العنوان') }),
      ...fields('longText', { 'hours*': both('Working hours', 'ساعات العمل') }),
      ...fields('phone', { phone: both('Phone', 'الهاتف') }),
      ...fields('phone', { emergency: both('Emergency number', 'رقم الطوارئ') }),
    ],
  },
  {
    id: 'faqs',
    name: both('FAQ', 'الأسئلة الشائعة'),
    fields: [
      ...fields('text', { 'q*': both('Question', 'السؤال') }),
      ...fields('longText', { 'a*': both('Answer', 'الجواب') }),
    ],
  },
];

const published = [
  ...entries('dentists', {
    sami: {
      name: both('Dr. Sami Haddad', 'د. سامي حداد'),
      bio: both('Orthodontist, 14 years of braces and aligners.', 'أخصائي تقويم، خبرة 14 سنة.'),
      speaks: ['ar', 'en'],
      mobile: '+966 55 100 0001',
    },
    ayesha: {
      name: both('Dr. Ayesha Malik', 'د. عائشة مالك'),
      bio: both('Looks after children and anxious patients.', 'تعتني بالأطفال وبمن يخاف من العلاج.'),
      speaks: ['en', 'ur'],
      mobile: '+966 55 100 0002',
    },
  }),
  ...entries('treatments', {
    cleaning: {
      treatment: both('Scaling and polishing', 'تنظيف وتلميع الأسنان'),
      summary: both('Removes tartar and stains.', 'يزيل الجير والتصبغات.'),
      charge: 250,
      duration: both('40 minutes', '40 دقيقة'),
      doctor: 'ayesha',
      cost: 61,
    },
    whitening: {
      treatment: both('Laser whitening', 'تبييض بالليزر'),
      summary: both('Up to six shades brighter in one visit.', 'أفتح حتى ست درجات في زيارة واحدة.'),
      charge: 1100,
      duration: both('90 minutes', '90 دقيقة'),
      cost: 333,
    },
    braces: {
      treatment: both('Metal braces', 'تقويم معدني'),
      summary: both('Checked every four weeks; paid in 12 instalments.', 'مراجعة كل أربعة أسابيع، ويقسط على 12 دفعة.'),
      charge: 5500,
      duration: both('18 months', '18 شهرًا'),
      doctor: 'sami',
      cost: 1777,
    },
    aligners: {
      treatment: both('Clear aligners', 'تقويم شفاف'),
      summary: both('Removable and nearly invisible.', 'قابل للإزالة وشبه غير مرئي.'),
      charge: 9800,
      duration: both('12 months', '12 شهرًا'),
      doctor: 'sami',
      cost: 4444,
    },
    canal: {
      treatment: both('Root canal', 'علاج العصب'),
      summary: both('One or two visits with local anaesthesia.', 'زيارة أو زيارتان مع تخدير موضعي.'),
      charge: 900,
      duration: both('60 minutes', '60 دقيقة'),
      cost: 210,
    },
  }),
  ...entries('clinic', {
    olaya: {
      label: both('Ivory Dental, Olaya', 'عاج لطب الأسنان، العليا'),
      address: both('Olaya Street 210, third floor, Riyadh', 'شارع العليا 210، الدور الثالث، الرياض'),
      hours: both(
        'Sunday to Thursday 9 am to 9 pm, Saturday 2 pm to 9 pm, closed on Friday.',
        'من الأحد إلى الخميس 9 صباحًا إلى 9 مساءً، والسبت من 2 إلى 9 مساءً، والجمعة مغلق.',
      ),
      phone: '+966 11 400 2100',
      emergency: '+966 11 400 2199',
    },
  }),
  ...entries('faqs', {
    insurance: {
      q: both('Which insurance do you accept?', 'أي تأمين تقبلون؟'),
      a: both('Bupa, Tawuniya and Medgulf class A and B.', 'بوبا والتعاونية وميدغلف فئة أ وب.'),
    },
    instalments: {
      q: both('Can I pay in instalments?', 'هل يمكنني التقسيط؟'),
      a: both('Yes, with Tabby or Tamara above 500 SAR.', 'نعم، عبر تابي أو تمارا لما فوق 500 ريال.'),
    },
    parking: {
      q: both('Is there parking?', 'هل توجد مواقف؟'),
      a: both('Free in the basement, enter from the back street.', 'مجانية في القبو، والدخول من الشارع الخلفي.'),
    },
    pain: {
      q: both('Does it hurt?', 'هل العلاج مؤلم؟'),
      a: both(
        'We numb the tooth first; most patients feel only pressure.',
        'نخدر السن أولًا، ولا يشعر أغلب المراجعين إلا بضغط.',
      ),
    },
    cancel: {
      q: both('Changing or cancelling an appointment', 'تغيير الموعد أو إلغاؤه'),
      a: both(
        'Free until 24 hours before; later we charge 100 SAR.',
        'مجانًا حتى 24 ساعة قبل الموعد، وبعدها نحتسب 100 ريال.',
      ),
    },
    pregnant: {
      q: both('Can pregnant women be treated?', 'هل يمكن علاج الحامل؟'),
      a: both('Cleaning is safe; we avoid X-rays.', 'التنظيف آمن، ونتجنب الأشعة.'),
    },
  }),
];

const hidden = [
  ...entries(
    'treatments',
    {
      implants: {
        treatment: both('Titanium implant', 'زراعة تيتانيوم'),
        summary: both('From next year.', 'من السنة القادمة.'),
        charge: 4200,
      },
    },
    { published: false },
  ),
];

const forms = [
  form('appointment', both('Request an appointment', 'طلب موعد'), [
    both('Full name', 'الاسم الكامل'),
    both('Mobile number', 'رقم الجوال'),
    both('Preferred day', 'اليوم المناسب'),
  ]),
  form('complaints', both('Complaints and suggestions', 'الشكاوى والاقتراحات'), [both('Text', 'النص')]),
  form('research', both('Research volunteers', 'متطوعو الأبحاث'), [both('Age', 'العمر')], false),
];

/** A dental clinic without a menu. All its data is in the CMS, and its hours are free text. */
export const dental = () =>
  workspace('Ivory Dental', 'SAR', { cms: { models, entries: [...published, ...hidden] }, forms });
