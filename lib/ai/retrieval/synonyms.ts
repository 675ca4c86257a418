import { foldedWordsOf } from './folded-words.ts';
import { stemOf } from './words.ts';

/** Words of trade that mean the same, a line each; names of things are found by themselves and are not among them. */
const groups = `
  deliver delivery deliveries توصيل توصلون يوصل توصل دليفري
  takeaway takeout pickup collect سفري استلام
  pay payment payments paying دفع ادفع الدفع ندفع تدفع سداد
  card cards بطاقة بطاقات
  cash نقد نقدا كاش
  cancel cancellation cancelling cancelled الغاء الغي يلغي تلغي نلغي ألغي
  refund refunds استرجاع استرداد
  return returns exchange ارجاع استبدال
  open opening opens opened مفتوح فاتحين تفتح تفتحون يفتح نفتح عمل دوام
  hour hours timing timings ساعات اوقات مواعيد دوام
  schedule schedules timetable جدول
  close closing closes closed مغلق تغلق تغلقون يغلق تقفلون يقفل تقفل
  address location locations located directions find عنوان موقع مكان لوكيشن
  branch branches restaurant outlet فرع فروع
  phone telephone mobile whatsapp هاتف جوال تلفون موبايل رقم واتساب واتس
  email mail بريد ايميل
  park parking مواقف موقف باركنج
  wifi internet انترنت واي فاي
  offer offers discount discounts promotion promotions promo deal deals عرض عروض خصم خصومات تخفيض تخفيضات
  voucher vouchers coupon coupons قسيمة قسائم كوبون كوبونات
  loyalty rewards points ولاء نقاط مكافآت
  membership memberships member subscription عضوية عضويات اشتراك
  event events catering cater occasion occasions banquet مناسبة مناسبات تموين ضيافة فعالية فعاليات كيترنج
  group groups bulk crowd مجموعة مجموعات
  party parties celebration celebrations حفلة حفل حفلات احتفال
  wedding weddings marriage bridal عرس زفاف زواج اعراس
  birthday birthdays ميلاد
  package packages bundle باقة باقات بكج بكجات
  booking bookings reserve reservation reservations appointment appointments احجز حجز نحجز الحجز موعد حجوزات
  complain complaint complaints feedback شكوى شكاوى اشتكي ملاحظة ملاحظات شكوه
  job jobs career careers vacancy vacancies hiring employment recruitment وظيفة وظائف توظيف
  custom customised customized personalised personalized bespoke مخصص مخصصة
  pet pets dog dogs حيوان حيوانات
  child children kid kids toddler daughter son junior juniors اطفال طفل بنتي ابني ولدي ناشئين
  wheelchair accessible accessibility disabled
  dessert desserts sweet sweets حلويات حلا حلى حلوى تحلية
  drink drinks beverage beverages refreshment refreshments مشروب مشروبات مرطبات
  plate plates platter platters صحن صحون
  starter starters appetizer appetizers appetiser مقبلات
  breakfast فطور افطار ريوق
  lunch غداء غدا
  dinner عشاء عشا
  salad salads سلطة سلطات
  soup soups شوربة شوربات حساء
  sandwich sandwiches ساندويتش ساندويتشات سندويش سندويشات سندوتش سندوتشات
  grill grills grilled barbecue bbq charcoal مشوي مشويات مشاوي شواء فحم
  juice juices عصير عصائر
  coffee قهوة
  tea chai شاي
  bread خبز
  cake cakes كيك كيكة كعكة كيكات
  chicken دجاج فراخ
  rice رز ارز
  fish seafood سمك اسماك 
  cheese جبن جبنة
  aubergine eggplant باذنجان
  shrimp shrimps prawn prawns ربيان روبيان جمبري
  chocolate شوكولاتة شوكولاته شوكلاته شوكولا
  icecream gelato ايسكريم بوظة
  colour color dye صبغ صبغة
  massage massages مساج تدليك
  founder founders founded owner owners مؤسس مؤسسة صاحب
  team staff crew فريق موظفين
  story history قصة
  policy policies rules سياسة شروط
  website site موقع مواقع
  ship shipping shipped shipment شحن نشحن يشحن
  social سوشال سوشيال
  media ميديا
  wait waiting انتظار
  late lateness delay delays تأخير تأخر متأخر تأخرت
  allergy allergies allergic allergen allergens حساسية حساس
  hurt hurts pain painful ache ألم مؤلم وجع يوجع يعور
  gift gifts present presents هدية هدايا
`;

/** Each stem of a group with the others; made when first asked for, since not every start comes to a search. */
let synonyms: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function synonymsByStem(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of groups.split('\n')) {
    const stems = new Set(foldedWordsOf(line).map(stemOf));
    for (const stem of stems) {
      const others = found.get(stem) ?? new Set<string>();
      found.set(stem, others);
      for (const other of stems) if (other !== stem) others.add(other);
    }
  }
  return found;
}

const none: ReadonlySet<string> = new Set();

/** The stems of words that mean about the same as one, in English and Arabic. */
export function synonymsOf(stem: string): ReadonlySet<string> {
  synonyms ??= synonymsByStem();
  return synonyms.get(stem) ?? none;
}

/** Stems with all that mean about the same. */
export const wideStemsOf = (stems: readonly string[]): ReadonlySet<string> =>
  new Set(stems.flatMap((stem) => [stem, ...synonymsOf(stem)]));
