import { isEmailAddress } from '../text/email-address.ts';
import { foldText } from '../text/folded-text.ts';
import type { Customer } from './customer.ts';

/** Details of a customer in a request. Blank texts are treated as absent. */
export type CustomerDetails = Partial<Omit<Customer, 'id'>>;

/** The identities that match customers, in order of precedence. */
const matchedBy = ['externalId', 'email', 'phone'] as const;
export type IdentityKind = (typeof matchedBy)[number];

/** An identity of a customer, normalised for comparison. */
export interface Identity {
  readonly kind: IdentityKind;
  readonly value: string;
}

/** Shorter numbers are extensions or typing errors, so they do not identify a person. */
const phoneDigitsMin = 7;

/** Normalises each kind; blank for a text that identifies no customer. */
const spellings: Record<IdentityKind, (text: string) => string> = {
  externalId: (text) => text.trim(),
  email: (text) => (isEmailAddress(text.trim()) ? text.trim().toLowerCase() : ''),
  phone: (text) => {
    const digits = foldText(text).replaceAll(/\D/g, '');
    return digits.length < phoneDigitsMin ? '' : digits;
  },
};

/** The identities in the details, best first. It is empty if they identify no customer. */
export function identitiesOf(details: CustomerDetails): Identity[] {
  const identities = matchedBy.map((kind) => ({ kind, value: spellings[kind](details[kind] ?? '') }));
  return identities.filter(({ value }) => value !== '');
}

/** True if a customer has an identity. */
export const hasIdentity = (customer: CustomerDetails, { kind, value }: Identity): boolean =>
  spellings[kind](customer[kind] ?? '') === value;

/** True if the details identify another customer: the customer lacks their best identity. */
export function matchAnotherCustomer(details: CustomerDetails, customer: Customer | undefined): boolean {
  const [best] = identitiesOf(details);
  return best !== undefined && !(customer && hasIdentity(customer, best));
}

/** Fills a customer's blanks from the details. It ignores malformed e-mail addresses and short phone numbers. */
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
