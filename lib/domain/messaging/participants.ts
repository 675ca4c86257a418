import * as z from 'zod/mini';
import { normaliseHost } from './channel.ts';
import { type Customer, CustomerText } from './customer.ts';

/** Any non-blank string. A malformed id gets the same answer as an unknown one. */
export const requiredId = z.string().check(
  z.trim(),
  z.refine((id) => id !== '', { error: 'Must be an id.', params: { code: 'required' } }),
);

/** Null and blank are treated as absent. */
export const optionalId = z.optional(
  z.pipe(
    z.nullable(z.string()),
    z.transform((id) => id?.trim() || undefined),
  ),
);

/** A website's host, normalised. */
export const WebsiteHost = z.pipe(
  z
    .string()
    .check(
      z.refine((text) => normaliseHost(text) !== undefined, 'Must be the host of a website such as menu.example.com.'),
    ),
  z.transform((text) => normaliseHost(text)),
);

const optionalText = z.optional(z.nullable(CustomerText));

/** A customer in a request (lib/spec/interface.md section 2.6). */
export const CustomerBody = z.strictObject({
  externalId: optionalText,
  name: optionalText,
  email: optionalText,
  phone: optionalText,
} satisfies Record<keyof Omit<Customer, 'id'>, unknown>);
