import { answerBytesMax, travelBytes } from '#lib/domain/answer-size.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { withCurrentSoldout } from '#lib/domain/menu/sold-out.ts';
import type { RenderOptions } from '#lib/domain/text/locale.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { entryFragment, type Fragment, productFragment, type Relation, stub, stubText } from './fragment.ts';
import type { ProductSelection, Selection } from './selection.ts';
import { isVisible, type Visibility } from './visibility.ts';

/** The maximum number of related records in an answer (lib/spec/decisions.md section 3). */
const expandedObjectsMax = 50_000;
/** The number of parallel look-ups between two checks of the answer's size. */
const lookUpBatchSize = 1_000;

/**
 * Expands the relations of an answer level by level. It looks up and renders each distinct record once, however often
 * the record occurs. It computes the size of the answer before it joins any text.
 */
export class Expansion {
  readonly #roots: readonly Fragment[];
  readonly #find: FindRelated;
  readonly #found = new Map<Selection, Map<string, Fragment | undefined>>();
  readonly #weights = { 'with stubs': new Map<number, Weights>(), 'without stubs': new Map<number, Weights>() };
  #frontier: readonly Fragment[];

  /** @param roots the fragments of the answer's own entries by id, all with the same selection */
  constructor(roots: ReadonlyMap<string, Fragment>, selection: Selection, find: FindRelated) {
    this.#roots = [...roots.values()];
    this.#find = find;
    this.#frontier = this.#roots;
    this.#found.set(selection, new Map(roots));
  }

  /**
   * Reads as many levels as fit into an answer.
   * @returns the deepest depth, at most `depthMax`, whose answer fits; undefined if not even depth 0 fits
   */
  async deepestFit(depthMax: number): Promise<number | undefined> {
    let loaded = 0;
    while (loaded < depthMax && this.#frontier.length > 0 && (await this.#loadLevel())) {
      loaded++;
      if (!fits(this.#total(loaded, 'without stubs'))) break;
    }
    // Below the last relation, a greater depth shows the same answer.
    const reached = this.#frontier.length === 0 ? depthMax : loaded;
    for (let depth = reached; depth >= 0; depth--) if (fits(this.#total(depth, 'with stubs'))) return depth;
    return undefined;
  }

  /** The roots as JSON texts, with relations expanded to a depth that was loaded. */
  render = (depth: number): string[] => this.#roots.map((root) => this.#text(root, depth));

  /** @returns false if the level alone is larger than an answer may be */
  async #loadLevel(): Promise<boolean> {
    const missing = this.#unknownRecords();
    const next: Fragment[] = [];
    let bytes = 0;
    for (let start = 0; start < missing.length; start += lookUpBatchSize) {
      const batch = missing.slice(start, start + lookUpBatchSize);
      const fragments = await Promise.all(batch.map(({ selection, id }) => this.#find(selection, id)));
      for (const [index, { selection, id }] of batch.entries()) {
        const fragment = fragments[index];
        this.#found.get(selection)?.set(id, fragment);
        if (fragment) next.push(fragment);
        bytes += fragment?.bytes ?? 0;
      }
      if (bytes > answerBytesMax || next.length > expandedObjectsMax) return false;
    }
    this.#frontier = next;
    return true;
  }

  #unknownRecords(): { readonly selection: Selection; readonly id: string }[] {
    const missing: { selection: Selection; id: string }[] = [];
    for (const { ids, selection } of this.#frontier.flatMap(relationsOf)) {
      const found = this.#found.get(selection) ?? new Map<string, Fragment | undefined>();
      this.#found.set(selection, found);
      for (const id of ids) {
        if (found.has(id)) continue;
        found.set(id, undefined);
        missing.push({ selection, id });
      }
    }
    return missing;
  }

  /** The size of the whole answer. Without stubs, it only grows with the depth. */
  #total(depth: number, stubs: Stubs): Weight {
    // The roots are no related records.
    const separators = { objects: -this.#roots.length, bytes: this.#roots.length + 1 };
    return this.#roots.reduce((sum, root) => add(sum, this.#weigh(root, depth, stubs)), separators);
  }

  #weigh(fragment: Fragment, depth: number, stubs: Stubs): Weight {
    const memo = this.#weights[stubs].get(depth) ?? new Map<Fragment, Weight>();
    this.#weights[stubs].set(depth, memo);
    const cached = memo.get(fragment);
    if (cached) return cached;
    const { bytes, expanded } = fragment;
    const weight = relationsOf(fragment).reduce(
      (sum, relation) => add(sum, this.#weighRelation(relation, depth, stubs)),
      { objects: expanded ? 1 : 0, bytes },
    );
    memo.set(fragment, weight);
    return weight;
  }

  #weighRelation(relation: Relation, depth: number, stubs: Stubs): Weight {
    if (depth === 0) {
      const bytes =
        stubs === 'without stubs' ? 0 : relation.ids.reduce((sum, id) => sum + travelBytes(stubText(id)), 0);
      return { objects: 0, bytes: bytes + listBytes(relation, relation.ids.length) };
    }
    const targets = this.#targets(relation);
    return targets.reduce<Weight>((sum, target) => add(sum, target ? this.#weigh(target, depth - 1, stubs) : nothing), {
      objects: 0,
      bytes: listBytes(relation, targets.length),
    });
  }

  /** A missing target is null in a relation to one, and is left out of a relation to many. */
  #targets({ ids, many, selection }: Relation): (Fragment | undefined)[] {
    const found = this.#found.get(selection);
    const targets = ids.map((id) => found?.get(id));
    return many ? targets.filter((target) => target !== undefined) : targets;
  }

  #text = (fragment: Fragment, depth: number): string =>
    fragment.pieces.map((piece) => (typeof piece === 'string' ? piece : this.#relationText(piece, depth))).join('');

  #relationText(relation: Relation, depth: number): string {
    const texts =
      depth === 0
        ? relation.ids.map(stubText)
        : this.#targets(relation).map((target) => (target ? this.#text(target, depth - 1) : 'null'));
    return relation.many ? `[${texts.join()}]` : texts.join();
  }
}

interface Weight {
  readonly objects: number;
  readonly bytes: number;
}

/** A missing target. */
const nothing: Weight = { objects: 0, bytes: 'null'.length };

const fits = ({ objects, bytes }: Weight): boolean => objects <= expandedObjectsMax && bytes <= answerBytesMax;

type Stubs = 'with stubs' | 'without stubs';
type Weights = Map<Fragment, Weight>;

/** The brackets and commas of a relation to many. */
const listBytes = ({ many }: Relation, length: number): number => (many ? 1 + Math.max(1, length) : 0);

const add = (a: Weight, b: Weight): Weight => ({ objects: a.objects + b.objects, bytes: a.bytes + b.bytes });

const relationsOf = ({ pieces }: Fragment): Relation[] => pieces.filter((piece) => typeof piece !== 'string');

/** Finds the target of a relation: undefined if it no longer exists, or does not exist for the caller. */
type FindRelated = (selection: Selection, id: string) => Promise<Fragment | undefined>;

export function relatedRecords(
  table: Table,
  scope: WorkspaceScope,
  visibility: Visibility,
  renderOptions: RenderOptions,
): FindRelated {
  const entries = new CmsEntries(table, scope);
  const menu = new Menu(table, scope);
  /** Reads only the records that the selection shows. */
  const neighboursOf = async ({ categoryId, suggestions }: MenuProduct, { members }: ProductSelection) => {
    const [category, ...suggested] = await Promise.all([
      members.has('category') ? menu.findCategory(categoryId) : undefined,
      ...(members.has('suggestions') ? suggestions : []).map(menu.findProduct),
    ]);
    return { category, suggestions: suggested.filter((product) => product !== undefined) };
  };
  return async (selection, id) => {
    if (selection.target === 'entry') {
      const entry = await entries.findRelated(selection.modelId, id);
      return entry && isVisible(entry, visibility) ? entryFragment(entry, selection, renderOptions) : undefined;
    }
    if (!visibility.products) return stub(id);
    const product = await menu.findProduct(id);
    if (!product) return undefined;
    if (!product.published && !visibility.unpublishedProducts) return stub(id);
    const neighbours = await neighboursOf(product, selection);
    return productFragment(withCurrentSoldout(product), neighbours, selection, renderOptions);
  };
}
