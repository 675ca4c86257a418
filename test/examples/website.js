// A website in plain JavaScript: `API_URL=... API_KEY=... node website.js` shows it at http://127.0.0.1:8080.
// It has a home page, the menu in its order and a blog, in two languages. Each page takes one request to the service.
// The key stays on this server; the pages do not contain it. It needs no right to read drafts.
// CHAT_KEY is a key that may engage in conversations, SITE_HOST the host of the site. With both, pages have the chat.
import { createServer } from 'node:http';
import { chatSession } from './chat-session.js';

const { API_URL = 'http://127.0.0.1:3000', API_KEY = '', CHAT_KEY = '', PORT = '8080' } = process.env;

const words = {
  en: {
    home: 'Home',
    menu: 'Menu',
    blog: 'Blog',
    search: 'Search',
    other: ['ar', 'العربية'],
    none: 'There is nothing here.',
  },
  ar: {
    home: 'الرئيسية',
    menu: 'القائمة',
    blog: 'المدونة',
    search: 'بحث',
    other: ['en', 'English'],
    none: 'لا يوجد شيء هنا.',
  },
};

/** The last answer of each address. While the data is unchanged, the next answer is an empty 304. */
const answers = new Map();

/** @returns the answer in one language; undefined for 404 */
async function read(path, query, language) {
  const address = new URL(path, API_URL);
  // A text without this language is shown in any other.
  address.search = new URLSearchParams({ ...query, locale: language, fallback: '*', apiKey: API_KEY });
  const known = answers.get(address.href);
  const response = await fetch(address, { headers: known ? { 'if-none-match': known.etag } : {} });
  if (response.status === 304) return known.json;
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  const answer = { etag: response.headers.get('etag') ?? '', json: await response.json() };
  answers.set(address.href, answer);
  if (answers.size > 500) answers.delete(answers.keys().next().value);
  return answer.json;
}

/** A decoded part of a path; an invalid encoding is left unchanged. */
const decoded = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const escaped = (text) => String(text ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const list = (items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const link = (address, text) => `<a href="${escaped(address)}">${escaped(text)}</a>`;

const inOrder = { sortBy: 'position', sortOrder: 'asc', limit: '100' };

/** The pages: their requests, and how they show the answer. */
const pages = {
  async home(language) {
    const { data } = await read('/api/public/menu/categories', inOrder, language);
    const items = data.map(
      ({ slug, name, productsCount }) => `${link(`/${language}/menu#${slug}`, name)} ${productsCount}`,
    );
    return [words[language].home, list(items)];
  },
  async menu(language) {
    const { data } = await read('/api/public/menu/categories', { ...inOrder, includeProducts: 'true' }, language);
    const sections = data.map(({ slug, name, products }) => {
      const items = products.map((product) => `${escaped(product.name)}, ${product.priceOptions[0]?.price ?? ''}`);
      return `<h2 id="${escaped(slug)}">${escaped(name)}</h2>${list(items)}`;
    });
    return [words[language].menu, sections.join('')];
  },
  async blog(language, slug, search) {
    if (slug !== undefined) return article(language, slug);
    const query = { fields: 'slug,title,author(name)', maxDepth: '1', limit: '20', sort: '-publishedOn', search };
    const entries = await read('/api/public/cms/articles/list', query, language);
    const items = entries.map(
      ({ slug: own, title, author }) =>
        `${link(`/${language}/blog/${encodeURIComponent(own ?? '')}`, title)} ${escaped(author?.name)}`,
    );
    const form = `<form><input type="search" name="q" value="${escaped(search)}" aria-label="${words[language].search}"></form>`;
    return [words[language].blog, `${form}${list(items)}`];
  },
};

async function article(language, slug) {
  // The service refuses a condition that is empty or longer than any slug.
  if (slug.trim() === '' || slug.length > 200) return undefined;
  const query = { 'filter[slug]': slug, limit: '1', fields: 'title,body,author(name)', maxDepth: '1' };
  const [entry] = await read('/api/public/cms/articles/list', query, language);
  if (!entry) return undefined;
  const paragraphs = (entry.body ?? '').split('\n\n').map((text) => `<p>${escaped(text)}</p>`);
  return [entry.title, `<p>${escaped(entry.author?.name)}</p>${paragraphs.join('')}`];
}

function chat(language) {
  const source = escaped(new URL('/widget.js', API_URL).href);
  return CHAT_KEY && `<script src="${source}" data-session="/chat-session" data-language="${language}" defer></script>`;
}

function html(language, path, [title, body]) {
  const { home, menu, blog, other } = words[language];
  const links = [
    link(`/${language}`, home),
    link(`/${language}/menu`, menu),
    link(`/${language}/blog`, blog),
    link(`/${[other[0], ...path].map(encodeURIComponent).join('/')}`, other[1]),
  ];
  return `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><meta charset="utf-8">
<title>${escaped(title)}</title>${chat(language)}<nav>${links.join(' ')}</nav><h1>${escaped(title)}</h1>${body}`;
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
  const [first = '', ...path] = pathname.split('/').filter(Boolean).map(decoded);
  const language = Object.hasOwn(words, first) ? first : 'en';
  try {
    if (pathname === '/chat-session' && CHAT_KEY) return await chatSession(request, response);
    const name = first === '' || path.length === 0 ? 'home' : path[0];
    const isPage = (first === '' || first === language) && Object.hasOwn(pages, name) && path.length < 3;
    const shown = isPage ? await pages[name](language, path[1], searchParams.get('q') ?? '') : undefined;
    response.writeHead(shown ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html(language, path, shown ?? ['404', escaped(words[language].none)]));
  } catch (error) {
    console.error(error.message);
    response.writeHead(503).end('This page cannot be shown at the moment.');
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
