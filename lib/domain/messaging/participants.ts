import * as z from 'zod/mini';
import { normaliseHost } from './channel.ts';
import { type Customer, CustomerText } from './customer.ts';

/** Any non-blank string. A malformed id is answered like an unknown one. */
export const requiredId = z.string().check(
  z.trim(),
  z.refine((id) => id !== '', { error: 'Must be an id.', params: { code: 'required' } }),
);

/** Null and blank count as absent. */
export const optionalId = z.optional(
  z.pipe(
    z.nullable(z.string()),
    z.transform((id) => id?.trim() || undefined),
  ),
);

/** The host of a website, in its one spelling. */
export const WebsiteHost = z.pipe(
  z
    .string()
    .check(
      z.refine((text) => normaliseHost(text) !== undefined, 'Must be the host of a website such as menu.example.com.'),
    ),
  z.transform((text) => normaliseHost(text)),
);

const optionalText = z.optional(z.nullable(CustomerText));

/** A customer as a request names one (lib/spec/interface.md section 2.6). */
export const CustomerBody = z.strictObject({
  externalId: optionalText,
  name: optionalText,
  email: optionalText,
  phone: optionalText,
} satisfies Record<keyof Omit<Customer, 'id'>, unknown>);
