import type { Form } from '#lib/domain/forms/form.ts';
import { Slug } from '#lib/domain/text/slug.ts';
import { keys } from '../keys.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import { findRecord, Repository } from '../table.ts';

/**
 * The id of the form that had a slug at the last read. It saves the look-up of the slug; the form itself is always
 * checked.
 */
const ids = containerMemory.view<string>();

/** The forms of one workspace. Access patterns W2, W3. */
export class Forms extends Repository {
  /** The id of the form that had the slug at the last read. */
  cachedId = (slug: string): string | undefined => ids.get(this.#address(slug));

  /** Takes one round trip if this container has cached the form's id. The record itself must have the slug. */
  async findBySlug(slug: string): Promise<Form | undefined> {
    const { data } = Slug.safeParse(slug);
    if (data === undefined) return undefined;
    const id = this.cachedId(data);
    return (id === undefined ? undefined : await this.#findIfNamed(id, data)) ?? (await this.#findNamed(data));
  }

  async #findNamed(slug: string, table = this.table): Promise<Form | undefined> {
    const pointer = await table.get(keys.slug(this.workspaceId, 'form', slug));
    if (!pointer) return undefined;
    const form = await this.#findIfNamed(String(pointer['id']), slug, table);
    if (form) ids.set(this.#address(slug), form.id, textBytes(form.id));
    // An import may have moved the slug to another form between the two reads.
    return form || table !== this.table ? form : this.#findNamed(slug, table.uncached());
  }

  /** The pointer may be outdated, because the form has another slug now. */
  async #findIfNamed(id: string, slug: string, table = this.table): Promise<Form | undefined> {
    const form = await findRecord<Form>(table, this, 'form', id);
    return form?.slug === slug ? form : undefined;
  }

  #address = (name: string) => `${this.workspaceId}#${name}`;
}
