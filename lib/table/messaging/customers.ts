import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Customer } from '#lib/domain/messaging/customer.ts';
import {
  type CustomerDetails,
  fillMissingDetails,
  hasIdentity,
  type Identity,
  identitiesOf,
} from '#lib/domain/messaging/customer-match.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { editedNow } from '../edited-at.ts';
import { ConditionFailed, Unavailable } from '../errors.ts';
import { keys } from '../keys.ts';
import { identityHash, namesOf } from '../record-names.ts';
import { findRecord } from '../record-of.ts';
import type { Table, Writes } from '../table.ts';

const triesMax = 12;
const pauseMillisecondsMax = 150;
/** Longer than any request may take from looking for a customer to storing one. */
const keptSeconds = 3_600;
/** Nearly always the first pointer is right, however many customers share a phone number. */
const pointersPerPage = 5;

/** The last change of who is found by an identity, of some identities. */
type Changes = ReadonlyMap<string, unknown>;

/** A customer, and the writes that store one who is new. */
interface PreparedCustomer {
  readonly customer: Customer;
  readonly creation?: Writes;
}

interface Match {
  readonly customer: Customer;
  /** Whether the match may be written to. */
  readonly isAuthoritative: boolean;
}

/** The customers of a workspace. Access patterns W2, M3 and M4. */
export class Customers {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;

  constructor(table: Table, scope: WorkspaceScope) {
    this.#table = table;
    this.#scope = scope;
  }

  find = (id: string): Promise<Customer | undefined> => findRecord(this.#table, this.#scope, 'customer', id);

  /**
   * The customer that the details name: one found by `externalId`, whose blanks are filled, one found by e-mail or
   * phone, which stays as it is because contact data is unverified, or else a new one. Parallel calls make one.
   * @returns undefined when the details identify no customer
   * @throws Unavailable
   */
  async findOrCreate(details: CustomerDetails): Promise<Customer | undefined> {
    for (let tries = 0; tries < triesMax; tries++) {
      const found = await this.findOrPrepare(details);
      if (!found?.creation || (await this.#isStored(found.creation))) return found?.customer;
      await pauseAfter(tries);
    }
    throw new Unavailable('The customer kept changing.');
  }

  /**
   * Like `findOrCreate`, but a new customer is left to the transaction that needs one, so that a failure leaves no customer
   * behind. That transaction is lost when somebody else stores such a customer first (`isCustomerTaken`).
   */
  async findOrPrepare(details: CustomerDetails): Promise<PreparedCustomer | undefined> {
    const identities = identitiesOf(details).map(identityHash);
    if (identities.length === 0) return undefined;
    for (let tries = 0; tries < triesMax; tries++) {
      // A match that needs no write needs no second look.
      const changes = tries === 0 ? undefined : await this.#changes(identities);
      const match = await this.#match(changes ? this.#table.fresh() : this.#table, details);
      if (match && !match.isAuthoritative) return match;
      const known = match?.customer;
      const customer = fillMissingDetails(known ?? newCustomer(), details);
      if (known && JSON.stringify(known) === JSON.stringify(customer)) return { customer };
      if (!changes) continue;
      const writes = this.#writes(customer, known, changes);
      if (!known) return { customer, creation: writes };
      if (await this.#isStored(writes)) return { customer };
      await pauseAfter(tries);
    }
    throw new Unavailable('The customer kept changing.');
  }

  /** Has to be read before the customers are. */
  async #changes(identities: readonly string[]): Promise<Changes> {
    const table = this.#table.fresh();
    const items = await Promise.all(identities.map((one) => table.get(this.#changeKey(one))));
    return new Map(identities.map((one, index) => [one, items[index]?.['change']]));
  }

  /** @returns true if they were stored; false after a concurrent change of the matching customers */
  async #isStored(writes: Writes): Promise<boolean> {
    try {
      await this.#table.transact(writes);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  /** An `externalId` that is not stored yet means a new customer, even if another one has the e-mail address or phone. */
  async #match(table: Table, details: CustomerDetails): Promise<Match | undefined> {
    for (const identity of identitiesOf(details)) {
      const customer = await this.#firstWith(table, identity);
      const isAuthoritative = identity.kind === 'externalId';
      if (customer) return { customer, isAuthoritative };
      if (isAuthoritative) return undefined;
    }
    return undefined;
  }

  /** The customer with the smallest id, however many share the identity. */
  async #firstWith(table: Table, identity: Identity): Promise<Customer | undefined> {
    const range = keys.customersOf(this.#scope.workspaceId, identityHash(identity));
    for await (const { id } of table.query({ ...range, perPage: pointersPerPage })) {
      const customer = await findRecord<Customer>(table, this.#scope, 'customer', String(id));
      // A pointer may be older than the record.
      if (customer && hasIdentity(customer, identity)) return customer;
    }
    return undefined;
  }

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
          Item: {
            ...keys.record(workspaceId, 'customer', customer.id),
            record: JSON.stringify(customer),
            ...editedNow(),
          },
          ...isStill('record', known && JSON.stringify(known)),
        },
      },
      customerNames: names.map((name) => ({
        Put: { TableName, Item: { ...keys.slug(workspaceId, 'customer', name), id: customer.id } },
      })),
      customerChanges: gained.map(identityHash).map((identity) => ({
        Put: {
          TableName,
          Item: {
            ...this.#changeKey(identity),
            change: randomUUID(),
            ttl: Math.ceil(Date.now() / 1_000) + keptSeconds,
          },
          ...isStill('change', changes.get(identity)),
        },
      })),
    };
  }

  #changeKey = (identity: string) => keys.customerChange(this.#scope.workspaceId, identity);
}

/** Whether a transaction was lost because its new customer, or another one of that identity, is stored by now. */
export const isCustomerTaken = (error: unknown): boolean =>
  error instanceof ConditionFailed && ['customer', 'customerNames', 'customerChanges'].includes(error.write ?? '');

const pauseAfter = (tries: number): Promise<void> =>
  pause(Math.random() * Math.min(pauseMillisecondsMax, 10 * 2 ** tries));

const newCustomer = (): Customer => ({
  id: `cus_${randomUUID().replaceAll('-', '')}`,
  externalId: null,
  name: null,
  email: null,
  phone: null,
});
