import { isBlank } from '../text/blank.ts';
import { normalized } from '../text/normal-form.ts';
import { phoneDigits, textForms } from '../text/text-forms.ts';
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

/** The stored form of each kind; blank for a text that identifies no customer. */
const storedForms: Record<IdentityKind, (text: string) => string> = {
  externalId: (text) => normalized(text.trim()),
  email: (text) => textForms.email.read(text) ?? '',
  phone: (text) => textForms.phone.read(text) ?? '',
};

/** What is compared of a stored text: an address without case, and the digits of a number. */
const spellings: Record<IdentityKind, (stored: string) => string> = {
  externalId: (text) => text,
  email: (text) => text.toLowerCase(),
  phone: phoneDigits,
};

const comparable = (kind: IdentityKind, { [kind]: text }: CustomerDetails): string =>
  spellings[kind](storedForms[kind](text ?? ''));

/** The identities in the details, best first. It is empty if they identify no customer. */
export function identitiesOf(details: CustomerDetails): Identity[] {
  const identities = matchedBy.map((kind) => ({ kind, value: comparable(kind, details) }));
  return identities.filter(({ value }) => value !== '');
}

export const hasIdentity = (customer: CustomerDetails, { kind, value }: Identity): boolean =>
  comparable(kind, customer) === value;

/** True if the details identify another customer: the customer lacks their best identity. */
export function matchAnotherCustomer(details: CustomerDetails, customer: Customer | undefined): boolean {
  const [best] = identitiesOf(details);
  return best !== undefined && !(customer && hasIdentity(customer, best));
}

/** Fills a customer's blanks from the details. It ignores malformed e-mail addresses and phone numbers. */
export function fillMissingDetails(customer: Customer, details: CustomerDetails): Customer {
  const filled = (name: keyof CustomerDetails) => {
    const form = name === 'name' ? (text: string) => (isBlank(text) ? '' : text.trim()) : storedForms[name];
    return isBlank(customer[name] ?? '') ? form(details[name] ?? '') || customer[name] : customer[name];
  };
  return {
    id: customer.id,
    externalId: filled('externalId'),
    name: filled('name'),
    email: filled('email'),
    phone: filled('phone'),
  };
}
