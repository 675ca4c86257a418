import { isEmailAddress } from '../text/email-address.ts';
import { foldText } from '../text/folded-text.ts';
import type { Customer } from './customer.ts';

/** Details of a customer as the caller gives them. Blanks count as absent. */
export type CustomerDetails = Partial<Omit<Customer, 'id'>>;

/** Identities that match customers, in this order. */
const matchedBy = ['externalId', 'email', 'phone'] as const;
export type IdentityKind = (typeof matchedBy)[number];

/** One thing that a customer is found by, in the spelling in which it is compared. */
export interface Identity {
  readonly kind: IdentityKind;
  readonly value: string;
}

/** Shorter numbers are extensions or typing errors that unrelated people share. */
const phoneDigitsMin = 7;

/** The compared spelling of each kind; blank for a text that identifies no customer. */
const spellings: Record<IdentityKind, (text: string) => string> = {
  externalId: (text) => text.trim(),
  email: (text) => (isEmailAddress(text.trim()) ? text.trim().toLowerCase() : ''),
  phone: (text) => {
    const digits = foldText(text).replaceAll(/\D/g, '');
    return digits.length < phoneDigitsMin ? '' : digits;
  },
};

/** The identities in these details, best first. It is empty when they identify no customer. */
export function identitiesOf(details: CustomerDetails): Identity[] {
  const identities = matchedBy.map((kind) => ({ kind, value: spellings[kind](details[kind] ?? '') }));
  return identities.filter(({ value }) => value !== '');
}

/** Whether a customer is found by an identity. */
export const hasIdentity = (customer: CustomerDetails, { kind, value }: Identity): boolean =>
  spellings[kind](customer[kind] ?? '') === value;

/** Whether the details name another customer: their best identity is not this customer's. */
export function matchAnotherCustomer(details: CustomerDetails, customer: Customer | undefined): boolean {
  const [best] = identitiesOf(details);
  return best !== undefined && !(customer && hasIdentity(customer, best));
}

/** A customer with blanks filled from the details. An ill-formed e-mail address and a short phone number are left out. */
export function fillMissingDetails(customer: Customer, details: CustomerDetails): Customer {
  const usable = new Set<string>(identitiesOf(details).map(({ kind }) => kind)).add('name');
  const filled = (name: keyof CustomerDetails) =>
    customer[name]?.trim() || !usable.has(name) ? customer[name] : details[name]?.trim() || customer[name];
  return {
    id: customer.id,
    externalId: filled('externalId'),
    name: filled('name'),
    email: filled('email'),
    phone: filled('phone'),
  };
}
