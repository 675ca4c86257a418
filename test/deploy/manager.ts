import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { png } from '#test/support/image-files.ts';
import { formBody } from '#test/support/multipart.ts';
import { expectStatus } from './expect-status.ts';

/** Repeats a call after a 503, because a function that starts on a busy machine may answer so. */
const triesMax = 10;
/** Schedules run every minute. */
const workMilliseconds = 180_000;

interface Record {
  readonly id: string;
}

/** A manager who fills the menu and the CMS through the management routes. */
export class Manager {
  readonly #url: string;
  readonly #secret: string;

  constructor(url: string, secret: string) {
    this.#url = url;
    this.#secret = secret;
  }

  /**
   * Creates an image, a category, a product, an entry and a key. Reads them with that key through the public routes.
   * @param slug a word that no other product contains
   * @throws when an answer is unexpected
   */
  async tellStory(slug: string): Promise<void> {
    const name = { en: slug, ar: 'قصة' };
    const image = await this.#upload();
    const category = await this.#create('menu-categories', { slug, name, thumbnail: image });
    const product = {
      slug,
      name,
      categoryId: category.id,
      priceOptions: [{ id: 'po', price: 7 }],
      images: [image],
    };
    await this.#create('menu-products', product);
    const entry = await this.#create('cms-entries', { modelId: 'chefs', values: { name, portrait: image } });
    const { secret } = await this.#create<Record & { readonly secret: string }>('api-keys', { name: 'Reader' });

    const read = (path: string) => this.#send(path, { headers: { authorization: `Bearer ${secret}` } });
    const { data } = (await expectStatus(200, read(`menu/products?search=${slug}&apiKey=${secret}`))) as Answer;
    expectEqual(
      data,
      [{ slug, category: category.id, image: image.id }],
      ({ slug: shown, category: { id }, images }) => ({
        slug: shown,
        category: id,
        image: images[0].id,
      }),
    );
    const categories = (await expectStatus(200, read(`menu/categories?limit=100&apiKey=${secret}`))) as Answer;
    expectEqual(
      categories.data.filter((category) => category.slug === slug),
      [category.id],
      ({ id }) => id,
    );
    const chef = await expectStatus(200, read(`cms/chefs/${entry.id}`));
    expectEqual([chef], [image.id], ({ portrait }) => portrait.id);
    // The emulator's streams are text and would change binary data.
    const shown = await fetch(new URL(new URL(image.url).pathname, this.#url), { method: 'HEAD' });
    expectEqual([shown], [[200, 'image/png']], ({ status, headers }) => [status, headers.get('content-type')]);
  }

  /**
   * Lets a product be published at a time, and a webhook be told of it whose receiver has no address.
   * @param apiKeyId the key of this manager
   * @throws when the functions in the background do not run
   */
  async awaitWork(apiKeyId: string): Promise<void> {
    const types = ['menu_product.published'];
    const webhook = await this.#create('webhooks', { url: 'https://receiver.invalid/hook', types, apiKeyId });
    const [category] = await this.#list('menu-categories');
    const product = await this.#create('menu-products', {
      slug: 'later',
      name: { en: 'Later' },
      categoryId: category?.id,
      published: false,
      publishAt: new Date(Date.now() + 5_000).toISOString(),
    });
    const until = AbortSignal.timeout(workMilliseconds);
    for (;;) {
      const [delivery] = await this.#list(`webhooks/${webhook.id}/deliveries`);
      if (delivery?.attempts[0]?.error === 'dns') break;
      if (until.aborted) throw new Error(`After minutes the delivery is ${JSON.stringify(delivery)}.`);
      await delay(500);
    }
    const found = await expectStatus(200, this.#manage(`menu-products/${product.id}`, {}));
    expectEqual([found], [[true, null]], ({ published, publishAt }) => [published, publishAt]);
  }

  async #list(path: string): Promise<Answer['data']> {
    const { data } = (await expectStatus(200, this.#manage(path, {}))) as Answer;
    return data;
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

  /** The idempotency key identifies a retry. */
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

// biome-ignore lint/suspicious/noExplicitAny: the API description has the shapes.
type Answer = { readonly data: readonly any[] };

// biome-ignore lint/suspicious/noExplicitAny: as above.
function expectEqual(values: readonly any[], expected: readonly unknown[], seen: (value: any) => unknown): void {
  const found = JSON.stringify(values.map(seen));
  const wanted = JSON.stringify(expected);
  if (found !== wanted) throw new Error(`An answer has ${found}, and not ${wanted}.`);
}
