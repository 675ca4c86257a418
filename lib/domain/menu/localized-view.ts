import type { Image } from '../files/image.ts';
import type { ShowText } from '../text/locale.ts';
import type { Localized } from '../text/localized.ts';
import type { MenuCategory } from './menu-category.ts';
import type { PriceOption } from './price-option.ts';
import type { ProductShown } from './product-view.ts';

/** A product with its texts in the form that `show` makes. Absent properties stay absent. */
export const localizedProduct = (view: Partial<ProductShown>, show: ShowText): object => {
  const { name, intro, description, priceOptions, thumbnail, images, suggestions, category, optionSets } = view;
  return {
    ...view,
    ...present({
      name: name && show(name),
      intro: textOrNull(intro, show),
      description: textOrNull(description, show),
      priceOptions: priceOptions?.map((option) => localizedPrice(option, show)),
      thumbnail: imageOrNull(thumbnail, show),
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

/** Like `localizedProduct`, for a category. */
export const localizedCategory = (view: Partial<MenuCategory>, show: ShowText): object => {
  const { name, description, thumbnail, smallThumbnail, showcase } = view;
  return {
    ...view,
    ...present({
      name: name && show(name),
      description: textOrNull(description, show),
      thumbnail: imageOrNull(thumbnail, show),
      smallThumbnail: imageOrNull(smallThumbnail, show),
      showcase: imageOrNull(showcase, show),
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
