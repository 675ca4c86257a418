import { foldedWordsOf } from './folded-words.ts';

/**
 * Words that may be a part of a name but mostly go along with what is asked for: they help to find something, and
 * where nothing is called so nobody misses them.
 */
const english = `
  main mains course courses food foods meal meals plate plates kind kinds type types sort sorts option options choice
  choices selection variety range special specials big small large medium regular extra fresh best favourite favorite
  popular famous recommend recommended suggest order ordering buy buying purchase try tried make made making use using
  tomorrow tonight yesterday week weekend month year day days night nights time times next last first new
  place places shop shops stores branch branches restaurant restaurants cafe company house home name
  family friend friends mother father wife husband kid kids child children person persons people guest guests us
  bit little full whole half great nice lovely delicious amazing perfect question questions
  offer wonder wondering think thought hope hoping looking look find found come coming go going goes well pair pairs visit
  thing things way stuff sure currently sir madam friend team possible able allowed accept
  service services treatment treatments opening openings gives giving happen happens happened
  information info detail details page pages help
  bring bringing bought
  old age ages aged years
  eat eating drinking hungry guys folks everyone anybody
  sunday monday tuesday wednesday thursday friday saturday sundays mondays tuesdays wednesdays thursdays fridays saturdays
`;
const arabic = `
  عمره عمرها سنوات سنين
  خدمة خدمات يصير مختص مختصة
  تقبلون تقبل يقبل توفرون توفر تسوون تسوي
  وجبة وجبات أكل اكلات طعام نوع أنواع خيار خيارات حجم كبير كبيرة صغير صغيرة وسط نص نصف كامل كاملة خاص خاصة عادي طازج أفضل أحسن أشهر مشهور
  اطلب أطلب طلب طلبي اشتري نشتري أجرب جديد الليلة بكرة غدا بكره الأسبوع أسبوع شهر سنة يوم أيام وقت مرة قادم القادم
  مكان محل محلات متجر مطعم مطاعم فرع فروع بيت شركة اسم حاجة حاجات أشياء شخص أشخاص عائلة عائلتي أهل أصدقاء أطفال ضيف ضيوف
  الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت
  جميل حلو لذيذ ممتاز تمام سؤال استفسار مساعدة تساعدني أعرف اعرف أسأل معلومات تنصح تنصحون تنصحني
`;

/** As `foldText` leaves them. */
export const weakWords: ReadonlySet<string> = new Set(foldedWordsOf(`${english} ${arabic}`));
