import { escapeHtml } from '#lib/domain/text/escape-html.ts';
import texts from './texts.json' with { type: 'json' };

export type SiteLanguage = keyof typeof texts;

/** The part of the menu that the page shows, in its language. */
export interface ShownCategory {
  readonly name: string | null;
  readonly description: string | null;
  readonly products: readonly ShownProduct[];
}

interface ShownProduct {
  readonly name: string | null;
  readonly soldout: boolean;
  readonly priceOptions: readonly { readonly price: number }[];
}

const productsMax = 5;

/**
 * A page of the restaurant, with the chat widget.
 * @param service the address of the service
 */
export function websiteHtml(language: SiteLanguage, service: string, categories: readonly ShownCategory[]): string {
  const { name, lead, hint, menu, other, foot } = texts[language];
  const [direction, otherLanguage] = language === 'ar' ? ['rtl', 'en'] : ['ltr', 'ar'];
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_local/website/page.css">
<script src="${escaped(service)}/widget.js" data-session="/_local/website/session" data-language="${language}" defer></script>
</head>
<body>
<header>
<nav><strong>${escaped(name)}</strong><a href="/_local/website/${otherLanguage}" lang="${otherLanguage}">${escaped(other)}</a></nav>
</header>
<main>
<div class="hero">
<h1>${escaped(name)}</h1>
<p>${escaped(lead)}</p>
<p class="hint">${escaped(hint)}</p>
</div>
<h2>${escaped(menu)}</h2>
<div class="menu">
${categories.map((category) => section(category, language)).join('\n')}
</div>
</main>
<footer>${escaped(foot)}</footer>
</body>
</html>
`;
}

function section({ name, description, products }: ShownCategory, language: SiteLanguage): string {
  const items = products.slice(0, productsMax).map((product) => item(product, language));
  return `<section><h3>${escaped(name)}</h3><p>${escaped(description)}</p><ul>${items.join('')}</ul></section>`;
}

function item({ name, soldout, priceOptions }: ShownProduct, language: SiteLanguage): string {
  const price = priceOptions[0]?.price;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'SAR',
    trailingZeroDisplay: 'stripIfInteger',
  });
  const shown = soldout ? texts[language].soldOut : price === undefined ? '' : format.format(price);
  return `<li><b>${escaped(name)}</b><span>${escaped(shown)}</span></li>`;
}

const escaped = (text: string | null): string => escapeHtml(text ?? '');
