import { expect, it } from '@jest/globals';
import { bulkKinds } from '#test/support/manage-kinds.ts';
import { ageState } from '#test/support/old-log.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

const sizes = [100, 10_000] as const;
/** The limit of growth of a write's bytes (lib/spec/additions.md section 2). */
const ratioMax = 1.5;

const ids = (size: number) => Array.from({ length: size }, (_, index) => `stored-${index}`);
const kitchens = await Promise.all(
  sizes.map((size) =>
    openWorkspace('records', (document) => {
      const title = { key: 'title', name: { en: 'Title' }, type: 'text', localized: true };
      document.cms = {
        models: [{ id: 'notes', name: { en: 'Notes' }, fields: [title] }],
        entries: ids(size).map((id) => ({ id, modelId: 'notes', values: { title: { en: id } } })),
      };
      for (const id of ids(size)) {
        document.menu.products.push({ id, slug: id, name: { en: id }, categoryId: 'cat_1' });
        document.forms.push({ id, slug: id, title: { en: id } });
        document.messaging.customers.push({ id, name: id, email: `${id}@example.com` });
      }
    }),
  ),
);
const proxy = await startTableProxy();

type Input = Readonly<Record<string, Record<string, { readonly Keys?: object[] }>>>;
interface Cost {
  readonly read: number;
  readonly written: number;
  readonly queries: number;
  readonly bytes: number;
}

/** The items that a write reads and writes, the ranges that it reads, and the bytes that it sends. */
async function costOf({ manage }: Workspace<'records'>, request: string, body?: object): Promise<Cost> {
  await proxy.forget();
  const { status } = await manage(request, body, { headers: { 'Idempotency-Key': crypto.randomUUID() } });
  expect([request, status < 300]).toEqual([request, true]);
  const calls = proxy.calls.map(({ operation, input }) => ({ operation, input: input as Input }));
  const sum = (operations: RegExp, count: (input: Input) => number) =>
    calls.reduce((total, { operation, input }) => total + (operations.test(operation) ? count(input) : 0), 0);
  return {
    read: sum(/GetItem$/, ({ RequestItems }) => Object.values(RequestItems ?? {})[0]?.Keys?.length ?? 1),
    written: sum(/^(Transact|Update|Put|Delete)/, ({ TransactItems }) => Object.keys(TransactItems ?? [0]).length),
    queries: sum(/^Query$/, () => 1),
    bytes: JSON.stringify(calls).length,
  };
}

/** The minimum, because a retry or the mark of a long log makes a write more expensive now and then. */
const leastOf = (costs: readonly Cost[]): Cost => {
  const least = (member: keyof Cost) => Math.min(...costs.map((cost) => cost[member]));
  return { read: least('read'), written: least('written'), queries: least('queries'), bytes: least('bytes') };
};

const entries = {
  kind: 'cms-entries/notes',
  fresh: (name: string) => ({ values: { title: { en: name } } }),
  patch: { values: { title: { ar: 'جديد' } } },
};

it.each([...bulkKinds, entries].map((tested) => [tested.kind, tested] as const))(
  'a write of %s reads and writes as much among 100 records as among 10,000',
  async (kind, { fresh, patch }) => {
    const costsOf = async (kitchen: Workspace<'records'>, name: string) => {
      const PUT = await costOf(kitchen, `PUT ${kind}/${name}`, fresh(name));
      const PATCH = await costOf(kitchen, `PATCH ${kind}/${name}`, patch);
      // A container whose rows are outdated reads the changes before it deletes a category.
      await kitchen.manage('GET menu-categories');
      return { PUT, PATCH, DELETE: await costOf(kitchen, `DELETE ${kind}/${name}`) };
    };
    const measured = [];
    for (const kitchen of kitchens) {
      await ageState(kitchen.workspaceId);
      await costsOf(kitchen, 'warm');
      measured.push([await costsOf(kitchen, 'one'), await costsOf(kitchen, 'two'), await costsOf(kitchen, 'three')]);
    }
    for (const verb of ['PUT', 'PATCH', 'DELETE'] as const) {
      const [few, many] = measured.map((costs) => leastOf(costs.map((each) => each[verb])));
      expect([verb, many]).toEqual([verb, { ...few, bytes: expect.any(Number) }]);
      expect(many?.bytes).toBeLessThan((few?.bytes ?? 0) * ratioMax);
    }
  },
);
