import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { png } from '#test/support/image-files.ts';
import { formBody } from '#test/support/multipart.ts';
import { expectStatus } from './expect-status.ts';

/** A function that starts on a busy machine can answer 503, as any may: the call is repeated. */
const triesMax = 10;

interface Record {
  readonly id: string;
}

/** Somebody who fills the menu and the CMS through the management routes. */
export class Manager {
  readonly #url: string;
  readonly #secret: string;

  constructor(url: string, secret: string) {
    this.#url = url;
    this.#secret = secret;
  }

  /**
   * Makes an image, a category, a product, an entry and a key, and reads them with that key through the public routes.
   * @throws when an answer is not as it should be
   */
  async tellStory(): Promise<void> {
    const name = { en: 'Story', ar: 'قصة' };
    const image = await this.#upload();
    const category = await this.#create('menu-categories', { slug: 'story', name, thumbnail: image });
    const product = {
      slug: 'story',
      name,
      categoryId: category.id,
      priceOptions: [{ id: 'po', price: 7 }],
      images: [image],
    };
    await this.#create('menu-products', product);
    const entry = await this.#create('cms-entries', { modelId: 'chefs', values: { name, portrait: image } });
    const { secret } = await this.#create<Record & { readonly secret: string }>('api-keys', { name: 'Reader' });

    const read = (path: string) => this.#send(path, { headers: { authorization: `Bearer ${secret}` } });
    const { data } = (await expectStatus(200, read(`menu/products?search=story&apiKey=${secret}`))) as Answer;
    expectEqual(
      data,
      [{ slug: 'story', category: category.id, image: image.id }],
      ({ slug, category: { id }, images }) => ({
        slug,
        category: id,
        image: images[0].id,
      }),
    );
    const categories = (await expectStatus(200, read(`menu/categories?limit=100&apiKey=${secret}`))) as Answer;
    expectEqual(
      categories.data.filter(({ slug }) => slug === 'story'),
      [category.id],
      ({ id }) => id,
    );
    const chef = await expectStatus(200, read(`cms/chefs/${entry.id}`));
    expectEqual([chef], [image.id], ({ portrait }) => portrait.id);
    // The emulator's streams are text, so that the bytes themselves would arrive changed.
    const shown = await fetch(new URL(new URL(image.url).pathname, this.#url), { method: 'HEAD' });
    expectEqual([shown], [[200, 'image/png']], ({ status, headers }) => [status, headers.get('content-type')]);
  }

  async #upload(): Promise<Record & { readonly url: string }> {
    const { headers, body } = formBody([{ filename: 'story.png', type: 'image/png', bytes: png() }]);
    const answer = this.#manage('media', { method: 'POST', headers, body });
    return (await expectStatus(201, answer)) as Record & { readonly url: string };
  }

  async #create<Created extends Record>(kind: string, record: object): Promise<Created> {
    const body = JSON.stringify(record);
    const headers = { 'content-type': 'application/json' };
    return (await expectStatus(201, this.#manage(kind, { method: 'POST', headers, body }))) as Created;
  }

  /** A repetition is told by its key. */
  #manage(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    const own = { authorization: `Bearer ${this.#secret}`, 'idempotency-key': randomUUID() };
    return this.#send(`../v1/manage/${path}`, { ...init, headers: { ...headers, ...own } });
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const answer = await fetch(`${this.#url}/api/public/${path}`, init);
      if (answer.status !== 503 || tries === triesMax) return answer;
      await delay(1_000);
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the shapes are those of the API description.
type Answer = { readonly data: readonly any[] };

// biome-ignore lint/suspicious/noExplicitAny: as above.
function expectEqual(values: readonly any[], expected: readonly unknown[], seen: (value: any) => unknown): void {
  const [found, wanted] = [JSON.stringify(values.map(seen)), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`An answer has ${found}, and not ${wanted}.`);
}
