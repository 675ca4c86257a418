import { randomUUID } from 'node:crypto';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import type { EventAuthor } from '#lib/domain/events/workspace-event.ts';
import type { Customer } from '#lib/domain/messaging/customer.ts';
import {
  type CustomerDetails,
  fillMissingDetails,
  type Identity,
  identitiesOf,
  matchAnotherCustomer,
} from '#lib/domain/messaging/customer-match.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed } from '../errors.ts';
import { eventWrite } from '../events/event-writes.ts';
import { namedRecords } from '../named-records.ts';
import { identityHash, listingEnd, listingPrefix } from '../record-names.ts';
import { newItem } from '../stored-item.ts';
import { findRecord, Repository, type Table, type WorkspaceScope, type Writes } from '../table.ts';
import { customerMarks, nameWrites } from '../writer/record-items.ts';
import { repeatWrite, tryChange } from '../writer/repeat-write.ts';
import { messagingKeys } from './keys.ts';

/** The last change of the customers with an identity, by identity. */
type Changes = ReadonlyMap<string, unknown>;

/** A customer, and the writes that store it if it is new or gets details. */
interface PreparedCustomer {
  readonly customer: Customer;
  readonly writes?: Writes;
  readonly isNew?: boolean;
}

interface Match {
  readonly customer: Customer;
  /** Whether missing details of the match may be filled in. */
  readonly isAuthoritative: boolean;
}

/** The customers of a workspace. Access patterns W2, M3 and M4. */
export class Customers extends Repository {
  find = (id: string): Promise<Customer | undefined> => findRecord(this.table, this, 'customer', id);

  /** Whether a request names another customer than the owner of a conversation, by its id or by details. */
  async isAnother(
    owner: string,
    {
      customerId,
      customer,
    }: { readonly customerId?: string | undefined; readonly customer?: CustomerDetails | null | undefined },
  ): Promise<boolean> {
    if (customerId !== undefined) return customerId !== owner;
    return customer ? matchAnotherCustomer(customer, await this.find(owner)) : false;
  }

  /**
   * The customer with these details. One found by `externalId` gets missing details. One found by e-mail address or
   * phone number stays as it is, because contact data is unverified. Otherwise a new one is made. Concurrent calls make
   * one.
   * @returns undefined if the details identify no customer
   * @throws Unavailable
   */
  async findOrCreate(details: CustomerDetails, author: EventAuthor): Promise<Customer | undefined> {
    return repeatWrite<PreparedCustomer | undefined, Customer | undefined>(this.table, {
      prepare: (tries) => this.#plan(details, author, tries === 1),
      write: async (prepared) =>
        (prepared?.writes && (await tryChange(this.table, prepared.writes))) ?? prepared?.customer,
    });
  }

  /**
   * Like `findOrCreate`, but the caller's transaction stores the customer, so that a failure leaves nothing behind. That
   * transaction fails if another request changes or creates such a customer first (`isCustomerTaken`).
   */
  findOrPrepare = (details: CustomerDetails, author: EventAuthor): Promise<PreparedCustomer | undefined> =>
    this.#plan(details, author, true);

  /** Finds the customer and the necessary writes. */
  async #plan(details: CustomerDetails, author: EventAuthor, isFirst: boolean): Promise<PreparedCustomer | undefined> {
    const identities = identitiesOf(details).map(identityHash);
    if (identities.length === 0) return undefined;
    // A match that needs no write needs no second read.
    const complete = isFirst ? completeCustomer(await this.#match(this.table, details), details) : undefined;
    if (complete) return { customer: complete };
    const changes = await this.#changes(identities);
    const match = await this.#match(this.table.uncached(), details);
    const customer = completeCustomer(match, details);
    if (customer) return { customer };
    const stored = match?.customer;
    const filled = fillMissingDetails(stored ?? newCustomer(), details);
    const event = eventWrite(this, {
      kind: 'customers',
      recordId: filled.id,
      action: stored ? 'updated' : 'created',
      changed: stored ? changedPaths(stored, filled) : [],
      ...author,
    });
    return {
      customer: filled,
      writes: { ...this.#writes(filled, stored, changes), customerEvent: event },
      isNew: !stored,
    };
  }

  /** Read these before the customers. */
  async #changes(identities: readonly string[]): Promise<Changes> {
    const table = this.table.uncached();
    const keyOf = (identity: string) => messagingKeys.customerChange(this.workspaceId, identity);
    const items = await Promise.all(identities.map((identity) => table.get(keyOf(identity))));
    return new Map(identities.map((identity, index) => [identity, items[index]?.['change']]));
  }

  /** An unknown `externalId` means a new customer, even if another customer has the e-mail address or phone. */
  async #match(table: Table, details: CustomerDetails): Promise<Match | undefined> {
    for (const identity of identitiesOf(details)) {
      const customer = await this.#firstWith(table, identity);
      const isAuthoritative = identity.kind === 'externalId';
      if (customer) return { customer, isAuthoritative };
      if (isAuthoritative) return undefined;
    }
    return undefined;
  }

  /** The customer with the smallest id among those that share the identity. The first pointer is nearly always right. */
  async #firstWith(table: Table, identity: Identity): Promise<Customer | undefined> {
    const range = messagingKeys.customersOf(this.workspaceId, identityHash(identity));
    for await (const { record } of namedRecords<Customer>(table, this, 'customer', range, 1)) return record;
    return undefined;
  }

  /** The writes of a customer: the record, its pointers, and the marks of its new identities. */
  #writes(customer: Customer, stored: Customer | undefined, changes: Changes): Writes {
    const { workspaceId } = this;
    const names = { id: customer.id, before: stored, after: customer, taken: [] };
    return {
      customer: {
        Put: {
          Item: newItem(workspaceId, 'customer', customer),
          ...isStill('record', stored && JSON.stringify(stored)),
        },
      },
      ...nameWrites(workspaceId, 'customer', names),
      customerChanges: customerMarks(workspaceId, stored, customer, changes),
    };
  }
}

/** Whether a transaction failed because its customer has changed, or another with the same identity is stored. */
export const isCustomerTaken = (error: unknown): boolean =>
  error instanceof ConditionFailed && ['customer', 'customerChanges'].includes(error.write ?? '');

/** The customer of a match, if no details are to be filled in. */
function completeCustomer(match: Match | undefined, details: CustomerDetails): Customer | undefined {
  if (!match?.isAuthoritative) return match?.customer;
  const { customer } = match;
  return JSON.stringify(fillMissingDetails(customer, details)) === JSON.stringify(customer) ? customer : undefined;
}

const newCustomer = (): Customer => ({
  id: `cus_${randomUUID().replaceAll('-', '')}`,
  externalId: null,
  name: null,
  email: null,
  phone: null,
});

/** A stored customer with its sort key in the order of names. */
export interface ListedCustomer {
  readonly sortKey: string;
  readonly record: object;
}

/**
 * Customers by their folded names, then ids. Each page is one range of pointers and their records, at any number of
 * customers. Access patterns W2 and W3.
 * @param after the sort key of the last customer of the previous page
 */
export async function* customersByName(
  table: Table,
  scope: WorkspaceScope,
  after: string | undefined,
  atOnce: number,
): AsyncGenerator<ListedCustomer> {
  // A blank sorts before every character of an id.
  const range = { from: after === undefined ? listingPrefix : `${after} `, to: listingEnd };
  for await (const { name, record } of namedRecords(table, scope, 'customer', range, atOnce))
    yield { sortKey: name, record };
}
