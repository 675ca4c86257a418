import { isBlank } from '#lib/domain/text/blank.ts';
import type { Json } from '#lib/openapi/json-schema.ts';

// Constraints of the demo workspace: the fields of a database, and the accepted answers of a form. The description of
// all workspaces lacks them.

const text = { type: 'string' };
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] });
const closed = (properties: Readonly<Record<string, Json>>): Json => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

const localized = orNull(closed({ en: orNull(text), ar: orNull(text) }));
const phones = ['+966 11 200 4411', ' 0112004411', '(011) 200-4411'];
const chefs = ['chef_noura', 'chef_sara', 'chef_tariq'];
const products = ['prod_grilled_hamour', 'prod_saudi_coffee'];

/** The fields of the database `chefs`. */
export const chefValues = closed({
  // The field is required. It keeps its Arabic text while no request changes that.
  name: closed({ en: orNull(text) }),
  role: localized,
  bio: localized,
  specialty: { enum: ['rice', 'mezze', 'grill', 'seafood', 'pastry', 'coffee', null] },
  joinedOn: orNull({ type: 'string', format: 'date' }),
  signature: orNull({ type: 'array', items: { enum: products }, uniqueItems: true }),
  mentor: { enum: [...chefs, null] },
  phone: { enum: [...phones, null] },
  privateNotes: orNull(text),
  published: { type: 'boolean' },
});

/** The ranges of the characters that show nothing, as in a class of a regular expression. */
function blankRanges(): string {
  let ranges = '';
  for (let point = 1, from = 0; point <= 0x11_00_00; point++) {
    const isOne = point < 0x11_00_00 && isBlank(String.fromCodePoint(point));
    if (isOne) from ||= point;
    else if (from > 0) {
      ranges += `${String.fromCodePoint(from)}-${String.fromCodePoint(point - 1)}`;
      from = 0;
    }
  }
  return ranges;
}

const blank = blankRanges();
const notBlank = `[^${blank}]`;

/** `null`, blank text and `[]` are no answer, which an optional field accepts. */
const orNothing = (...schemas: readonly Json[]): Json => ({
  anyOf: [...schemas, { type: 'null' }, { type: 'string', pattern: `^[${blank}]*$` }, { type: 'array', maxItems: 0 }],
});

/** The fields of the form `contact`. */
export const contactAnswers = {
  ...closed({
    name: { type: 'string', minLength: 2, maxLength: 80, pattern: notBlank },
    email: { enum: ['huda@example.com', 'Huda.A+menu@mail.example.com ', 'x@y.example'] },
    phone: orNothing({ enum: phones }),
    subject: { enum: ['visit', 'order', 'allergy', 'press'] },
    message: { type: 'string', minLength: 10, maxLength: 2_000, pattern: notBlank },
    rating: orNothing({ type: 'integer', minimum: 1, maximum: 5 }, { enum: ['1', '2', '3', '4', '5'] }),
    website: orNothing({ enum: ['https://example.com/a?b=c', 'http://example.com'] }),
    consent: { enum: [true, 'true', 'on'] },
    source: orNothing({ type: 'string', maxLength: 120 }),
  }),
  // Names with this prefix are metadata and accept any value.
  patternProperties: { '^_[a-z]': true },
  required: ['name', 'email', 'subject', 'message', 'consent'],
} as const satisfies Json;

/** Values of `fields` that the database `chefs` supports. */
export const chefFields = ['name', 'name,mentor(name)', 'signature(slug,priceOptions),published', 'id'];
export const chefIds = chefs;

const needed = { type: 'string', pattern: notBlank };

/** Constraints on the body of an AI reply that the description states only as text. */
export const withQuestion = (body: Json): Json => ({
  ...body,
  properties: {
    ...(body['properties'] as Json),
    channelIdentifier: { enum: ['menu.example.com', 'https://www.menu.example.com:8080/path', 'localhost', null] },
  },
  anyOf: ['lastMessageId', 'senderId'].map((name) => ({ properties: { [name]: needed }, required: [name] })),
});
