/** What a message can ask for or do. */
export type Intent =
  | 'greeting'
  | 'thanks'
  | 'farewell'
  | 'person'
  | 'self'
  | 'price'
  | 'availability'
  | 'sale'
  | 'preparation'
  | 'nutrition'
  | 'pairing'
  | 'ingredients'
  | 'options'
  | 'categories'
  | 'hours'
  | 'address'
  | 'phone'
  | 'email'
  | 'event'
  | 'booking'
  | 'complaint'
  | 'job'
  | 'order'
  | 'change'
  | 'when'
  | 'who';

/** The words that an intent goes with, as people write them; a few of them are several words. */
export const intentWords: Readonly<Record<Intent, string>> = {
  greeting:
    'hello, hi, hey, salam, how are you, how r u, how is it going, whats up, كيف الحال, كيف حالك, كيف حالكم, كيفك, كيفكم, شلونك, شلونكم, شخبارك, شخباركم, good morning, good evening, good afternoon, greetings, مرحبا, مراحب, أهلا, هلا, هاي, يا هلا, السلام عليكم, سلام عليكم, صباح الخير, مساء الخير, صباح النور, مساء النور, تحية',
  thanks:
    'thank, thanks, thank you, thx, ty, cheers, much appreciated, شكرا, مشكور, مشكورين, تسلم, تسلمون, يعطيك العافية, يعطيكم العافية, جزاك الله, جزاك الله خير, ممنون, ما قصرت, ما قصرتوا, ما قصرتو',
  farewell: 'bye, goodbye, good bye, see you, good night, مع السلامة, في أمان الله, تصبح على خير, وداعا, إلى اللقاء',
  person:
    'human, real person, someone real, talk to a person, talk to a manager, speak to a person, speak to someone, speak to the manager, speak to a manager, talk to someone, talk to somebody, staff member, customer service, customer support, live agent, call me, call me back, موظف, أكلم شخص, أكلم أحد, أكلم المدير, أتكلم مع, التحدث مع, أتحدث مع, أحد الموظفين, خدمة العملاء, الدعم',
  self: 'are you a robot, are you a bot, are you a machine, are you real, are you human, are you a human, are you an ai, who are you, هل أنت روبوت, هل أنت إنسان, هل أنت بشر, هل أنت آلي, من أنت, مين انت, انت روبوت, انت بوت',
  price:
    'how much, price, prices, pricing, cost, costs, fee, fees, how expensive, بكم, بكام, كم سعر, كم سعره, كم سعرها, كم السعر, كم سعرهم, كم يكلف, كم تكلف, سعر, سعره, سعرها, أسعار, أسعاركم, ثمن, تكلفة, يكلف, تكلف, كم رسوم, كم ثمن, كم حق',
  availability:
    'available, availability, sold out, in stock, out of stock, still have, still get, any left, متوفر, متوفرة, موجود, موجودة, متاح, متاحة, نفد, نفدت, يتوفر, تتوفر, خلص, خلصت, باقي',
  sale: 'sell, sells, selling, sale, buy, تبيع, تبيعون, تبيعوا, يباع, أشتري',
  preparation:
    'how long, prepare, preparation, minutes, waiting time, wait, ready, duration, كم دقيقة, كم وقت, وقت التحضير, مدة التحضير, تحضير, تجهيز, كم ياخذ, كم تاخذ, كم يأخذ, كم يستغرق, كم تستغرق, مدته, مدتها, مدتهم, يستغرق, تستغرق, كم يحتاج, كم مدة, كم المدة, متى يجهز, متى تجهز, مدة',
  nutrition:
    'calorie, calories, kcal, protein, carb, carbs, carbohydrates, nutrition, nutritional, nutrients, sodium, allergen, allergens, allergy, allergies, allergic, intolerant, intolerance, contain, contains, containing, سعرات, سعرة حرارية, كم سعرة في, كالوري, بروتين, كربوهيدرات, صوديوم, حساسية, يحتوي, تحتوي, يحتوون, القيم الغذائية, القيمة الغذائية',
  pairing:
    'go with, goes with, go well with, goes well with, pair with, pairs with, pairs well with, eat with, drink with, serve with, served with, side for, يناسب, يتماشى مع, يمشي مع, يليق مع, ينصح مع, مع ايش, مع وش, أفضل مع',
  ingredients:
    'ingredient, ingredients, what is in, what s in, whats in, what in, made of, made from, made with, what comes with, مكونات, مكوناته, مكوناتها, ايش في, وش في, شنو في, ايش فيه, وش فيه, شنو فيه, ماذا في, ما في, من ماذا, مم يتكون, مصنوع من, مصنوعة من',
  options:
    'extra, extras, add, adding, addon, addons, add on, add ons, topping, toppings, option, options, customise, customize, إضافة, إضافات, الإضافات, أضيف, اضيف, نضيف, زيادة, خيارات',
  categories:
    'menu, categories, category, what do you serve, what do you sell, what do you have, what do you offer, what food, what can i order, what can i eat, your products, your services, قائمة, القائمة, المنيو, منيو, مينيو, أقسام, ماذا تقدمون, وش عندكم, ماذا لديكم, ايش عندكم, شنو عندكم, شو عندكم, وش تقدمون, ايش تقدمون, الأصناف, ما هي منتجاتكم, خدماتكم',
  hours:
    'until when, till when, how late, how early, إلى متى, لين متى, open, opening, opens, close, closing, closes, closed, hours, working hours, what time, timings, مفتوح, مفتوحين, مفتوحة, فاتح, فاتحين, فاتحه, تشتغلون, تفتح, تفتحون, تفتحوا, يفتح, تغلق, تغلقون, يغلق, تقفل, تقفلون, يقفل, تسكر, تسكرون, يسكر, مغلق, مغلقين, ساعات, الدوام, دوام, دوامكم, تداوم, تداومون, مداومين, أوقات العمل, أوقات, أوقاتكم, مواعيد, مواعيدكم',
  address:
    'where are you, where is, where s, wheres, where can i find, where in, where do i find, find you, reach you, get to you, get there, كيف أوصل, كيف أوصلكم, كيف أوصل لكم, address, location, locations, located, directions, map, branches, how do i get to, how to get to, أين, وين, فين, عنوان, عنوانكم, موقع, موقعكم, مكانكم, فروع, فروعكم, لوكيشن, اللوكيشن',
  phone:
    'phone number, your phone, phone of, the phone, by phone, telephone, mobile number, call you, contact number, your number, branch number, whatsapp, هاتف, جوال, رقم, رقمكم, أرقامكم, رقم الهاتف, اتصل, تلفون, واتساب, واتس',
  email: 'email, emails, e mail, mail address, بريد, ايميل, الإيميل, إيميلكم, بريدكم',
  event:
    'event, events, catering, cater, caterer, wedding, weddings, banquet, occasion, conference, engagement party, party, graduation, corporate event, private party, host a party, مناسبة, مناسبات, مناسبه, حفلة, حفل, حفلات, عرس, أعراس, زفاف, زواج, عزيمة, عزومة, وليمة, تموين, ضيافة, تخرج, ملكة, خطوبة, فعالية',
  booking:
    'book a, book an, book my, book me, book for, book us, to book, i book, we book, booking, bookings, reserve, reservation, reservations, appointment, appointments, table for, احجز, نحجز, حجز, الحجز, حجوزات, موعد, طاولة لـ',
  complaint:
    'complain, complaint, complaints, complaining, feedback, unhappy, not happy, disappointed, disappointing, terrible, awful, horrible, worst, rude, bad experience, bad service, refund, came without, arrived late, never arrived, was missing, wrong order, stale, overcharged, شكوى, شكاوى, أشتكي, اشتكي, نشتكي, شكوتي, شكواي, زعلان, مستاء, غير راضي, سيئ, سيئة, سيء, ملاحظة, ملاحظات, تأخر, متأخر, order is late, so late, was late, was cold, was raw, was burnt, were burnt, undercooked, overcooked, kept waiting, kept me waiting, kept us waiting, apologised, apologized, apology, طلبي ناقص, الطلب ناقص, وصلني غلط, كان محروق, كانت محروقة, مو مستوي, ما استوى, انتظرت ساعة, انتظرت ساعتين',
  job: 'job, jobs, hiring, vacancy, vacancies, career, careers, work for you, work with you, join your team, employment, وظيفة, وظائف, توظيف, أعمل معكم, أشتغل معكم, شغل عندكم',
  change:
    'cancel, cancelling, canceling, cancellation, reschedule, change my booking, change my appointment, change my reservation, ألغي, الغي, إلغاء, نلغي, تأجيل, أأجل, تغيير موعد, أغير موعد',
  when: 'when, what date, which date, what day, which day, how long is, until when, متى, تاريخ, أي يوم, لين متى, إلى متى',
  who: 'who, whos, who is, من هو, من هي, مين, من الذي',
  order: 'order, ordering, preorder, pre order, أطلب, اطلب, نطلب, الطلب, طلبية',
};
