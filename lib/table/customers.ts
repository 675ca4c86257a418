import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Customer } from '#lib/domain/customer.ts';
import {
  type CustomerDetails,
  hasIdentity,
  type Identity,
  identitiesOf,
  mayBe,
  withBlanksFilled,
} from '#lib/domain/customer-match.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { ConditionFailed, Unavailable } from './errors.ts';
import { keys } from './keys.ts';
import { identityHash, namesOf } from './record-names.ts';
import { findRecord } from './record-of.ts';
import type { Item } from './schema.ts';
import type { Table, Writes } from './table.ts';

const triesMax = 12;
const pauseMillisecondsMax = 150;
/** Longer than any request may take from looking for a customer to storing one. */
const keptSeconds = 3_600;

/** The last change of who is found by an identity, of some identities. */
type Changes = ReadonlyMap<string, unknown>;

/** The customers of a workspace. Access patterns W2, M3 and M4. */
export class Customers {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;

  constructor(table: Table, scope: WorkspaceScope) {
    this.#table = table;
    this.#scope = scope;
  }

  find = (id: string): Promise<Customer | undefined> => findRecord(this.#table, this.#scope, 'customer', id);

  /** Reads what `findOrCreate` looks at first, so that it travels with other reads. @throws Unavailable */
  async lookUp(details: CustomerDetails): Promise<void> {
    await Promise.all(identitiesOf(details).map((identity) => this.#pointersTo(this.#table, identity)));
  }

  /**
   * The customer that the details are those of: one who is known, with the blanks filled, or else a new one
   * (lib/spec/decisions.md section 7). However many ask at once, one customer comes of it.
   * @returns nobody when the details say nothing that a customer could be found by
   */
  async findOrCreate(details: CustomerDetails): Promise<Customer | undefined> {
    const identities = identitiesOf(details).map(identityHash);
    if (identities.length === 0) return undefined;
    for (let tries = 0; tries < triesMax; tries++) {
      // Who is known already needs no writing, and so no second look.
      const changes = tries === 0 ? undefined : await this.#changes(identities);
      const known = await this.#match(changes ? this.#table.fresh() : this.#table, details);
      const customer = withBlanksFilled(known ?? newCustomer(), details);
      if (known && JSON.stringify(known) === JSON.stringify(customer)) return known;
      if (changes && (await this.#store(customer, known, changes))) return customer;
      if (changes) await pause(Math.random() * Math.min(pauseMillisecondsMax, 10 * 2 ** tries));
    }
    throw new Unavailable('The customer kept changing.');
  }

  /** Has to be read before the customers are. */
  async #changes(identities: readonly string[]): Promise<Changes> {
    const table = this.#table.fresh();
    const items = await Promise.all(identities.map((one) => table.get(this.#changeKey(one))));
    return new Map(identities.map((one, index) => [one, items[index]?.['change']]));
  }

  /** @returns whether it was stored; not if somebody else has changed meanwhile who is found by these details */
  async #store(customer: Customer, known: Customer | undefined, changes: Changes): Promise<boolean> {
    try {
      await this.#table.transact(this.#writes(customer, known, changes));
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  async #match(table: Table, details: CustomerDetails): Promise<Customer | undefined> {
    const identities = identitiesOf(details);
    const found = await Promise.all(identities.map((identity) => this.#pointersTo(table, identity)));
    const candidates = await Promise.all(
      found.map((pointers) =>
        Promise.all(pointers.map(({ id }) => findRecord<Customer>(table, this.#scope, 'customer', String(id)))),
      ),
    );
    return identities
      .flatMap((identity, index) => candidates[index]?.filter((one) => one && hasIdentity(one, identity)) ?? [])
      .find((one) => one && mayBe(one, details));
  }

  #pointersTo = (table: Table, identity: Identity): Promise<Item[]> =>
    table.range(keys.customersOf(this.#scope.workspaceId, identityHash(identity)));

  /** The record, where it is found from now on, and that this has changed. */
  #writes(customer: Customer, known: Customer | undefined, changes: Changes): Writes {
    const TableName = this.#table.name;
    const { workspaceId } = this.#scope;
    const before = known ? namesOf('customer', known) : [];
    const names = namesOf('customer', customer).filter((name) => !before.includes(name));
    const gained = identitiesOf(customer).filter((identity) => !known || !hasIdentity(known, identity));
    return {
      customer: {
        Put: {
          TableName,
          Item: { ...keys.record(workspaceId, 'customer', customer.id), record: JSON.stringify(customer) },
          ...(known ? isStill('record', JSON.stringify(known)) : isNew),
        },
      },
      names: names.map((name) => ({
        Put: { TableName, Item: { ...keys.slug(workspaceId, 'customer', name), id: customer.id } },
      })),
      changes: gained.map(identityHash).map((identity) => ({
        Put: {
          TableName,
          Item: {
            ...this.#changeKey(identity),
            change: randomUUID(),
            ttl: Math.ceil(Date.now() / 1_000) + keptSeconds,
          },
          ...(changes.get(identity) === undefined ? isNew : isStill('change', changes.get(identity))),
        },
      })),
    };
  }

  #changeKey = (identity: string) => keys.customerChange(this.#scope.workspaceId, identity);
}

const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };

const isStill = (name: string, value: unknown) => ({
  ConditionExpression: '#name = :value',
  ExpressionAttributeNames: { '#name': name },
  ExpressionAttributeValues: { ':value': value },
});

const newCustomer = (): Customer => ({
  id: `cus_${randomUUID().replaceAll('-', '')}`,
  externalId: null,
  name: null,
  email: null,
  phone: null,
});
