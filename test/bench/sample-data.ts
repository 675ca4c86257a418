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
  const many = <Record>(count: number, make: (place: number) => Record) =>
    Array.from({ length: count }, (_, place) => make(place));
  return {
    categories: many(size.categories, (place) => ({ slug: `cat-${digits(place)}`, name: texts(2) })),
    tags: many(size.tags, (place) => ({ slug: `tag-${digits(place)}`, label: words(english, 1) + place })),
    articles: many(size.articles, (place) => ({
      slug: `art-${digits(place)}`,
      title: texts(4),
      body: words(english, 30),
      tag: place % size.tags,
    })),
    products: sampleProducts(size, random, words),
  };
}

function* sampleProducts(
  size: SampleSize,
  random: () => number,
  words: (language: string, count: number) => string,
): Generator<SampleProduct> {
  for (let place = 0; place < size.products; place++) {
    yield {
      slug: `product-${digits(place)}`,
      barcode: place % 5 ? String(6_280_000_000_000 + place) : null,
      name: { en: `${words(english, 3)} ${place}`, ar: `${words(arabic, 3)} ${place}` },
      intro: { en: words(english, 8), ar: words(arabic, 8) },
      description: { en: words(english, 40), ar: words(arabic, 30) },
      priceOptions: ['S', 'M', 'L'].map((label, index) => ({
        label,
        price: Math.round((5 + random() * 20 + (index + 1) * 3) * 100) / 100,
      })),
      published: place % 10 !== 9,
      soldout: place % 12 === 0,
      preparationTime: 5 + (place % 30),
      nutritionFacts: { calories: 200 + (place % 500), protein: place % 40, fat: place % 30 },
      images: [`/img/${place}-a.jpg`, `/img/${place}-b.jpg`],
      category: place % size.categories,
      articles: articlesOf(place, size),
    };
  }
}

/** Two articles per product. */
export const articlesOf = (product: number, { articles }: SampleSize): number[] => [
  product % articles,
  (product * 7 + 3) % articles,
];

const digits = (place: number): string => String(place).padStart(4, '0');

/** Pseudo-random numbers from 0 to 1, equal at every call. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
