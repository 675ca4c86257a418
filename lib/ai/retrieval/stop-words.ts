import { foldText } from '#lib/domain/folded-text.ts';

/** Words that say how something is asked, not what about; prices and availability are asked about everything. */
const english = `
  a an the this that these those there here it its i im me my mine you your yours u we our ours us he she they them their
  his her is are was were am be been being do does did done doing have has had having can could would should will shall
  may might must let lets get got give tell show see say know want wanna like love need please kindly what whats which who
  whom whose when where wheres why how hows much many long of in on at to for from with by about as into onto than then
  and or but if so too very just also only still again now today right really maybe any anything some something someone
  anyone every everything else all both each more most other another one ones ok okay yes no not dont im ive id
  cannot cant wont doesnt didnt isnt arent wasnt werent couldnt wouldnt shouldnt havent hasnt hadnt youre youve theyre
  price prices priced pricing cost costs sell sells sold selling out available availability stock serve serves
  served serving menu item items dish dishes hello hi hey dear thanks thank bye good morning evening afternoon
  take takes taking taken theres whats hows id ill were pls plz ur gonna gotta lot lots help helped helpful
  under below less cheaper over above sar aed kwd qar bhd omr jod egp gbp riyal riyals dinar dinars dirham dirhams dollar dollars usd eur euro euros minute minutes
  r expensive cheap affordable pricey rial rials between
`;

const arabic = `
  هل ما ماذا من متى اين أين وين كيف كم بكم لماذا ليش لم لن لا نعم اي أي أيّ التي الذي الذين هذا هذه ذلك تلك هنا هناك في على
  الى إلى عن مع عند عندك عندكم عندي لدي لدى لديك لديكم لدينا لكم لك لي له لها لنا به بها فيه فيها منه منها هو هي هم نحن انا أنا
  انت أنت انتم أنتم كان كانت يكون تكون ان إن أن او أو و ثم قد سوف كل بعض شيء شي اريد أريد ابي ابغى أبغى بغيت ممكن لو سمحت سمحتم
  فضلك فضلكم رجاء وش ايش إيش شنو شو سعر السعر أسعار الأسعار بسعر ثمن تكلفة يكلف تكلف متوفر متوفرة يتوفر تتوفر موجود موجودة
  توجد يوجد الآن اليوم حاليا تبيعون تبيع تقدمون تقدم قائمة القائمة المنيو منيو طبق أطباق الأطباق صنف أصناف مرحبا أهلا اهلا
  السلام عليكم سلام وعليكم شكرا صباح مساء الخير أقل اقل تحت ريال ريالات درهم دقيقة دقائق يا ايها أيضا فقط جدا وكم
  اقدر نقدر يمكن يمكنني يمكننا ينفع نبي نبغى ودي حاب حابة أحب اللي انتو انتوا هاذا هذي ليه شلون متاح متاحة تاخذ ياخذ
  سعره سعرها سعرهم تكلفته عليه عليها دينار دنانير دراهم دولار جنيه يورو عندهم فضلا لطفا كمان برضو بعد قبل أو ولا حق الله والله ورحمة رحمة وبركاته بركاته العافية يعافيك يعافيكم حياكم حياك جزيلا كثيرا الحين هلق هسه دلوقتي رخيص رخيصة غالي غالية بين
  احكيلي احكي حدثني خبرني قولي قولولي كلمني عطني اعطني عطوني اعطوني ورني وروني حقكم حق اللي مين منو يعني طيب طب بس مثلا عاد
`;

/** As `foldText` leaves them; stems are not looked up here, because stems of other words may be the same. */
export const stopWords: ReadonlySet<string> = new Set(foldText(`${english} ${arabic}`).split(/\s+/).filter(Boolean));
