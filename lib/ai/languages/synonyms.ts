/**
 * Words that mean the same, in all languages: a group a line, each word in one of its forms. They are data and need no
 * code changes.
 */
export const synonymGroups = `
  deliver توصيل توصلون يوصل توصل دليفري
  takeaway takeout pickup collect سفري استلام
  pay payment paying دفع ادفع ندفع تدفع سداد
  card بطاقة
  cash نقد نقدا كاش
  cancel cancellation cancelling الغاء الغي يلغي تلغي نلغي
  refund استرجاع استرداد
  return exchange ارجاع استبدال
  open مفتوح فاتحين تفتح تفتحون يفتح نفتح عمل دوام
  hour timing ساعات اوقات مواعيد دوام
  schedule timetable جدول
  close مغلق تغلق تغلقون يغلق تقفلون يقفل تقفل
  address location located directions find عنوان موقع مكان لوكيشن
  branch restaurant outlet فرع فروع
  phone telephone mobile whatsapp هاتف جوال تلفون موبايل رقم واتساب واتس
  email mail بريد ايميل
  park مواقف موقف باركنج
  wifi internet انترنت واي فاي
  offer discount promotion promo deal عرض عروض خصم خصومات تخفيض
  voucher coupon قسيمة قسائم كوبون
  loyalty rewards points ولاء نقاط مكافآت
  membership member subscription عضوية اشتراك
  event catering occasion banquet مناسبة تموين ضيافة فعالية كيترنج
  group bulk crowd مجموعة
  party celebration حفلة احتفال
  wedding marriage bridal عرس زفاف زواج اعراس
  birthday ميلاد
  package bundle باقة بكج
  booking reserve reservation appointment احجز حجز نحجز موعد حجوزات
  complain complaint feedback شكوى شكاوى اشتكي ملاحظة
  job career vacancy hiring employment recruitment وظيفة وظائف توظيف
  custom customised customized personalised personalized bespoke مخصص
  pet dog حيوان
  child children kid toddler daughter son junior اطفال طفل بنتي ابني ولدي ناشئين
  wheelchair accessible accessibility disabled
  dessert sweet حلويات حلا حلى تحلية
  drink beverage refreshment مشروب مرطبات
  plate platter صحن صحون
  starter appetizer appetiser مقبلات
  breakfast فطور افطار ريوق
  lunch غداء غدا
  dinner عشاء عشا
  salad سلطة
  soup شوربة حساء
  sandwich ساندويتش سندويش سندوتش
  grill barbecue bbq charcoal مشوي مشاوي شواء فحم
  juice عصير عصائر
  coffee قهوة
  tea chai شاي
  bread خبز
  cake كيك كعكة
  chicken دجاج فراخ
  rice رز ارز
  fish seafood سمك اسماك
  cheese جبن
  aubergine eggplant باذنجان
  shrimp prawn ربيان روبيان جمبري
  chocolate شوكولاتة شوكلاته شوكولا
  icecream gelato ايسكريم بوظة
  colour color dye صبغ
  massage مساج تدليك
  founder founded owner مؤسس صاحب
  team staff crew فريق موظفين
  story history قصة
  policy rules سياسة شروط
  website site موقع مواقع
  ship shipment شحن نشحن يشحن
  social سوشال سوشيال
  media ميديا
  wait انتظار
  late lateness delay تأخير تأخر متأخر تأخرت
  allergy allergic allergen حساسية
  hurt pain painful ache ألم مؤلم وجع يوجع يعور
  gift present هدية هدايا
`.trim();
