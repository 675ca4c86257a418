/** A label such as "Gluten free" or GLUTEN_FREE in one spelling. */
export const dietName = (label: string): string =>
  label
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');

/** Whether the labels of a product fit a diet. Vegan products are vegetarian, too. */
export function fitsDiet(labels: readonly string[], diet: string): boolean {
  const names = labels.map(dietName);
  const requiredDiet = dietName(diet);
  return names.includes(requiredDiet) || (requiredDiet === 'VEGETARIAN' && names.includes('VEGAN'));
}
