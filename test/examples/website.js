// A website in plain JavaScript: `API_URL=... API_KEY=... node website.js` shows the menu at http://127.0.0.1:8080.
// The key stays on this server; the page that a visitor gets does not have it.
import { createServer } from 'node:http';

const { API_URL = 'http://127.0.0.1:3000', API_KEY = '', PORT = '8080' } = process.env;

/** The menu as it was read last, and its tag: while nothing has changed, the next answer is 304 and empty. */
let menu = { etag: '', categories: [] };

async function readMenu() {
  const address = new URL('/api/public/menu/categories', API_URL);
  address.search = new URLSearchParams({ includeProducts: 'true', sortBy: 'name', sortOrder: 'asc', apiKey: API_KEY });
  const response = await fetch(address, { headers: menu.etag ? { 'if-none-match': menu.etag } : {} });
  if (response.status === 304) return menu.categories;
  if (!response.ok) throw new Error(`The menu answered ${response.status}.`);
  menu = { etag: response.headers.get('etag') ?? '', categories: (await response.json()).data };
  return menu.categories;
}

const escaped = (text = '') => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (categories) => `<!doctype html><meta charset="utf-8"><title>Menu</title>
${categories
  .map(({ name, products }) => {
    const items = products.map(
      (product) => `<li>${escaped(product.name.en)}, ${product.priceOptions[0]?.price ?? ''}</li>`,
    );
    return `<h2>${escaped(name.en)}</h2><ul>${items.join('')}</ul>`;
  })
  .join('\n')}`;

const server = createServer(async (_, response) => {
  try {
    const html = page(await readMenu());
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  } catch (error) {
    console.error(error.message);
    response.writeHead(503).end('The menu cannot be shown at the moment.');
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
