import type { Image } from '../files/image.ts';
import type { ShowText } from '../text/locale.ts';
import type { Localized } from '../text/localized.ts';
import type { MenuCategory } from './menu-category.ts';
import type { PriceOption } from './price-option.ts';
import type { ProductShown } from './product-view.ts';

/** A product or a category with its texts in the form that `show` makes. Absent properties stay absent. */
export const localizedView = (view: Partial<ProductShown> | Partial<MenuCategory>, show: ShowText): object => {
  const { priceOptions, images, suggestions, category, optionSets, ...rest }: Partial<ProductShown> = view;
  const { name, intro, description, thumbnail, smallThumbnail, showcase }: Partial<ProductShown & MenuCategory> = rest;
  return {
    ...view,
    ...present({
      name: name && show(name),
      intro: textOrNull(intro, show),
      description: textOrNull(description, show),
      priceOptions: priceOptions?.map((option) => localizedPrice(option, show)),
      thumbnail: imageOrNull(thumbnail, show),
      smallThumbnail: imageOrNull(smallThumbnail, show),
      showcase: imageOrNull(showcase, show),
      images: images?.map((image) => localizedImage(image, show)),
      suggestions: suggestions?.map((suggestion) => named(suggestion, show)),
      category: category && named(category, show),
      optionSets: optionSets?.map((set) => ({
        ...named(set, show),
        options: set.options.map((option) => named(option, show)),
      })),
    }),
  };
};

export const localizedPrice = (option: PriceOption, show: ShowText): object =>
  option.name === undefined ? option : { ...option, name: show(option.name) };

export const localizedImage = (image: Image, show: ShowText): object => ({
  ...image,
  alt: textOrNull(image.alt, show),
});

const named = <Of extends { readonly name: Localized }>(record: Of, show: ShowText): object => ({
  ...record,
  name: show(record.name),
});

const textOrNull = (texts: Localized | null | undefined, show: ShowText) => texts && show(texts);

const imageOrNull = (image: Image | null | undefined, show: ShowText) => image && localizedImage(image, show);

const present = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
