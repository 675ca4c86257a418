/** The number of records of each kind. */
export interface SampleSize {
  readonly categories: number;
  readonly tags: number;
  readonly articles: number;
  readonly products: number;
}

interface Texts {
  readonly en: string;
  readonly ar: string;
}

export interface SampleProduct {
  readonly slug: string;
  readonly barcode: string | null;
  readonly name: Texts;
  readonly intro: Texts;
  readonly description: Texts;
  readonly priceOptions: readonly { readonly label: string; readonly price: number }[];
  readonly published: boolean;
  readonly soldout: boolean;
  readonly preparationTime: number;
  readonly nutritionFacts: { readonly calories: number; readonly protein: number; readonly fat: number };
  readonly images: readonly string[];
  /** The position of its category, and those of the related articles. */
  readonly category: number;
  readonly articles: readonly number[];
}

export interface SampleData {
  readonly categories: readonly { readonly slug: string; readonly name: Texts }[];
  readonly tags: readonly { readonly slug: string; readonly label: string }[];
  readonly articles: readonly {
    readonly slug: string;
    readonly title: Texts;
    readonly body: string;
    readonly tag: number;
  }[];
  /** A sequence that is created during its single iteration. */
  readonly products: Iterable<SampleProduct>;
}

/** The size for the comparison of services. */
export const comparedSize: SampleSize = { categories: 20, tags: 20, articles: 200, products: 1_000 };

const english =
  'fresh grilled lemon chicken rice saffron garlic yoghurt mint sesame smoked tomato basil crispy honey almond roasted pepper olive';
const arabic = 'طازج مشوي ليمون دجاج أرز زعفران ثوم لبن نعناع سمسم مدخن طماطم ريحان مقرمش عسل لوز محمص فلفل زيتون';

/** A menu and articles about its products, equal at every call. All compared services have this data. */
export function sampleData(size: SampleSize): SampleData {
  const random = sequence(12_345);
  const words = (language: string, count: number): string => {
    const all = language.split(' ');
    return Array.from({ length: count }, () => all[Math.floor(random() * all.length)]).join(' ');
  };
  const texts = (count: number): Texts => ({ en: words(english, count), ar: words(arabic, count) });
  const many = <Record>(count: number, make: (position: number) => Record) =>
    Array.from({ length: count }, (_, position) => make(position));
  return {
    categories: many(size.categories, (position) => ({ slug: `cat-${digits(position)}`, name: texts(2) })),
    tags: many(size.tags, (position) => ({ slug: `tag-${digits(position)}`, label: words(english, 1) + position })),
    articles: many(size.articles, (position) => ({
      slug: `art-${digits(position)}`,
      title: texts(4),
      body: words(english, 30),
      tag: position % size.tags,
    })),
    products: sampleProducts(size, random, words),
  };
}

function* sampleProducts(
  size: SampleSize,
  random: () => number,
  words: (language: string, count: number) => string,
): Generator<SampleProduct> {
  for (let position = 0; position < size.products; position++) {
    yield {
      slug: `product-${digits(position)}`,
      barcode: position % 5 ? String(6_280_000_000_000 + position) : null,
      name: { en: `${words(english, 3)} ${position}`, ar: `${words(arabic, 3)} ${position}` },
      intro: { en: words(english, 8), ar: words(arabic, 8) },
      description: { en: words(english, 40), ar: words(arabic, 30) },
      priceOptions: ['S', 'M', 'L'].map((label, index) => ({
        label,
        price: Math.round((5 + random() * 20 + (index + 1) * 3) * 100) / 100,
      })),
      published: position % 10 !== 9,
      soldout: position % 12 === 0,
      preparationTime: 5 + (position % 30),
      nutritionFacts: { calories: 200 + (position % 500), protein: position % 40, fat: position % 30 },
      images: [`/img/${position}-a.jpg`, `/img/${position}-b.jpg`],
      category: position % size.categories,
      articles: articlesOf(position, size),
    };
  }
}

/** Two articles per product. */
export const articlesOf = (product: number, { articles }: SampleSize): number[] => [
  product % articles,
  (product * 7 + 3) % articles,
];

const digits = (position: number): string => String(position).padStart(4, '0');

/** Pseudo-random numbers from 0 to 1, equal at every call. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
