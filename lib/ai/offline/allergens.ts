import { foldedWordsOf } from '../retrieval/folded-words.ts';

/** What people are allergic to, as they call it. */
const allergens = new Set(
  foldedWordsOf(`
    nut nuts peanut peanuts almond almonds walnut walnuts hazelnut hazelnuts cashew cashews pistachio pistachios milk
    dairy lactose egg eggs gluten wheat sesame soy soya mustard celery fish shellfish crustaceans
    مكسرات مكسر فول سوداني لوز جوز بندق كاجو فستق حليب ألبان لاكتوز بيض جلوتين غلوتين قمح سمسم صويا خردل كرفس قشريات
  `),
);
const isAllergen = (word: string): boolean => allergens.has(word.replace(/^(?:بال|ال|لل)/, '')) || allergens.has(word);

const isOwned = new Set(foldedWordsOf('you your u عندكم عندك لديكم لديك تقدمون'));
const contains = new Set(
  foldedWordsOf('have has contain contains include includes in inside يحتوي تحتوي في فيه فيها به بها داخل'),
);

const without = new Set(foldedWordsOf('without no free avoid بدون بلا خالي خالية خاليه'));

/** Whether a text asks for what does not have an allergen. */
export function avoidsAllergen(text: string): boolean {
  const words = foldedWordsOf(text);
  return words.some((word, index) => without.has(word) && words.slice(index + 1, index + 4).some(isAllergen));
}

const isIn = new Set(foldedWordsOf('contain contains فيه فيها يحتوي تحتوي'));

/** Whether a text asks if an allergen is in something, and the text without the words for allergens. */
export function allergenIn(text: string): { readonly asked: boolean; readonly rest: string } {
  const words = foldedWordsOf(text);
  const rest = words.filter((word) => !isAllergen(word));
  const asked =
    rest.length < words.length && rest.some((word) => contains.has(word)) && !rest.some((word) => isOwned.has(word));
  return {
    asked: asked && (isQuestion.test(words.join(' ')) || rest.some((word) => isIn.has(word))),
    rest: rest.join(' '),
  };
}

const isQuestion =
  /^(?:(?:and|so|hi|hello|please|also) )?(?:does|do|is|are|any|has|have|هل|فيه|في|فيها|يحتوي|تحتوي)(?: |$)/;
