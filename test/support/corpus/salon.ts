import { both, categories, entries, fields, form, price, products, workspace } from './records.ts';

const models = [
  {
    id: 'stylists',
    name: both('Our team', 'فريق العمل'),
    fields: [
      ...fields('text', { 'name*': both('Name', 'الاسم'), 'speciality*': both('Speciality', 'التخصص') }),
      ...fields(
        'multiSelect',
        { days: both('Working days', 'أيام العمل') },
        {
          options: [
            { value: 'sat', label: both('Saturday', 'السبت') },
            { value: 'sun', label: both('Sunday', 'الأحد') },
            { value: 'wed', label: both('Wednesday', 'الأربعاء') },
          ],
        },
      ),
      ...fields('text', { salary: both('Salary', 'الراتب') }, { hidden: true }),
    ],
  },
  {
    id: 'info',
    name: both('Information', 'معلومات'),
    fields: [
      ...fields('text', { 'heading*': both('Heading', 'العنوان') }),
      ...fields('richText', { 'content*': both('Content', 'المحتوى') }),
    ],
  },
  {
    id: 'memberships',
    name: both('Memberships', 'العضويات'),
    fields: [
      ...fields('text', { 'name*': both('Name', 'الاسم') }),
      ...fields('longText', { 'benefits*': both('Benefits', 'المزايا') }),
      ...fields('number', { monthly: both('Monthly fee in AED', 'الرسوم الشهرية بالدرهم') }),
    ],
  },
];

const published = [
  ...entries('stylists', {
    reem: {
      name: both('Reem Nasser', 'ريم ناصر'),
      speciality: both('Hair colour', 'صبغ الشعر'),
      days: ['sat', 'sun'],
      salary: '14000',
    },
    joyce: {
      name: both('Joyce Tan', 'جويس تان'),
      speciality: both('Deep tissue massage', 'مساج الأنسجة العميقة'),
      days: ['wed'],
      salary: '9000',
    },
  }),
  ...entries('info', {
    hours: {
      heading: both('Opening hours', 'ساعات العمل'),
      content: both(
        '<p>Saturday to Thursday <b>10 am to 9 pm</b>. Closed on Fridays.</p>',
        '<p>من السبت إلى الخميس <b>من 10 صباحًا حتى 9 مساءً</b>. مغلق يوم الجمعة.</p>',
      ),
    },
    place: {
      heading: both('How to find us', 'كيف تصل إلينا'),
      content: both(
        'Marina Walk, tower 3, ground floor. Free parking in the basement for two hours.',
        'ممشى المارينا، برج 3، الدور الأرضي. مواقف مجانية في القبو لمدة ساعتين.',
      ),
    },
    late: {
      heading: both('Late arrival and cancellation', 'التأخير والإلغاء'),
      content: both(
        'Cancel at least six hours before. After that we charge half of the price.',
        'يمكن الإلغاء قبل ست ساعات على الأقل، وبعد ذلك نحتسب نصف السعر.',
      ),
    },
    vouchers: {
      heading: both('Gift vouchers', 'قسائم الهدايا'),
      content: both(
        'Vouchers from 100 AED are sold at the desk and are valid for one year.',
        'تباع القسائم ابتداءً من 100 درهم عند الاستقبال وتصلح لمدة سنة.',
      ),
    },
  }),
  ...entries('memberships', {
    silver: {
      name: both('Silver', 'الفضية'),
      benefits: both('One massage a month and 10 percent off hair.', 'مساج واحد شهريًا وخصم 10٪ على الشعر.'),
      monthly: 299,
    },
    gold: {
      name: both('Gold', 'الذهبية'),
      benefits: both('Two massages a month and a free guest.', 'مساجان شهريًا وضيفة مجانًا.'),
      monthly: 499,
    },
  }),
  ...entries(
    'info',
    {
      laser: { heading: both('Laser room', 'غرفة الليزر'), content: both('Opens in the spring.', 'تفتتح في الربيع.') },
    },
    { published: false },
  ),
];

const menu = {
  categories: categories({
    hair: both('Hair', 'الشعر'),
    massage: both('Massages', 'المساج'),
    nails: both('Nails', 'الأظافر'),
    facials: both('Facials', 'العناية بالوجه'),
  }),
  products: products({
    cut: {
      name: both('Ladies haircut', 'قص شعر للسيدات'),
      category: 'hair',
      prices: [price(120, both('Short', 'قصير')), price(160, both('Long', 'طويل'))],
      preparationTime: 45,
    },
    colour: { name: both('Full colour', 'صبغة كاملة'), category: 'hair', prices: [price(350)], preparationTime: 120 },
    blow_dry: { name: both('Blow-dry', 'استشوار'), category: 'hair', prices: [price(90)] },
    swedish: {
      name: both('Swedish massage', 'مساج سويدي'),
      category: 'massage',
      prices: [price(250, both('60 minutes', '60 دقيقة')), price(340, both('90 minutes', '90 دقيقة'))],
    },
    hot_stone: {
      name: both('Hot stone massage', 'مساج الأحجار الساخنة'),
      category: 'massage',
      prices: [price(310)],
      soldout: true,
    },
    manicure: {
      name: both('Classic manicure', 'مانيكير كلاسيكي'),
      category: 'nails',
      prices: [price(75)],
      preparationTime: 30,
    },
    gel: { name: both('Gel polish', 'طلاء جل'), category: 'nails', prices: [price(110)] },
    pedicure: { name: both('Spa pedicure', 'باديكير سبا'), category: 'nails', prices: [price(95)] },
    hydra: {
      name: both('Hydrating facial', 'تنظيف بشرة مرطب'),
      category: 'facials',
      prices: [price(280)],
      preparationTime: 60,
    },
    keratin: {
      name: both('Keratin treatment', 'علاج الكيراتين'),
      category: 'hair',
      prices: [price(900)],
      published: false,
    },
  }),
};

const forms = [
  form('appointment', both('Request an appointment', 'طلب موعد'), [
    both('Name', 'الاسم'),
    both('Mobile', 'الجوال'),
    both('Service', 'الخدمة'),
  ]),
  form('complaint', both('Tell us what went wrong', 'أخبرنا بما لم يعجبك'), [
    both('Date of the visit', 'تاريخ الزيارة'),
    both('Complaint', 'الشكوى'),
  ]),
  form('bridal', both('Bridal party', 'حفلات العرائس'), [both('Date of the wedding', 'تاريخ الزفاف')], false),
];

/** A salon: what it sells are services, and its opening hours are a text. */
export const salon = () => workspace('Marina Salon', 'AED', { cms: { models, entries: published }, menu, forms });
