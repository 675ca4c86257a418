import type { Customer } from './customer.ts';
import { foldText } from './folded-text.ts';

/** What is said about a customer; blanks count as not said. */
export type CustomerDetails = Partial<Omit<Customer, 'id'>>;

/** What customers are matched by, in this order (lib/spec/decisions.md section 7). */
const matchedBy = ['externalId', 'email', 'phone'] as const;
export type IdentityKind = (typeof matchedBy)[number];

/** One thing that a customer is found by, in the spelling in which it is compared. */
export interface Identity {
  readonly kind: IdentityKind;
  readonly value: string;
}

const spellings: Record<IdentityKind, (text: string) => string> = {
  externalId: (text) => text.trim(),
  email: (text) => text.trim().toLowerCase(),
  phone: (text) => foldText(text).replaceAll(/\D/g, ''),
};

/** What these details are found by, best first; nothing when nobody can be found by them. */
export function identitiesOf(details: CustomerDetails): Identity[] {
  const identities = matchedBy.map((kind) => ({ kind, value: spellings[kind](details[kind] ?? '') }));
  return identities.filter(({ value }) => value !== '');
}

/** Whether a customer is found by an identity. */
export const hasIdentity = (customer: CustomerDetails, { kind, value }: Identity): boolean =>
  identitiesOf(customer).some((own) => own.kind === kind && own.value === value);

/** Whether the details can be those of a customer: two different external ids are two customers. */
export function mayBe(customer: CustomerDetails, details: CustomerDetails): boolean {
  const [own = '', given = ''] = [customer, details].map(({ externalId }) => spellings.externalId(externalId ?? ''));
  return own === '' || given === '' || own === given;
}

/** A customer with the blanks filled by what is said now; what is there already stays. */
export function withBlanksFilled(customer: Customer, details: CustomerDetails): Customer {
  const filled = (name: keyof CustomerDetails) =>
    customer[name]?.trim() ? customer[name] : details[name]?.trim() || customer[name];
  return {
    id: customer.id,
    externalId: filled('externalId'),
    name: filled('name'),
    email: filled('email'),
    phone: filled('phone'),
  };
}
