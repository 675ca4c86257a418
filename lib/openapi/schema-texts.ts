import type { SchemaName } from './named-schemas.ts';

export const schemaTexts: Readonly<Record<SchemaName | 'Issue', string>> = {
  LocalizedText:
    'A text in several languages: an object from language code, such as `en` or `ar`, to string. With `locale`, responses have the string in that language, or `null`. Request bodies always take the object.',
  Image: 'An image of a product, a category or a CMS entry.',
  PriceOption: 'One way to buy a product, such as a size.',
  OptionSet: 'A group of options for a product. Groups and options are sorted by their `order`.',
  NutritionFacts: 'The nutrition of one serving of a product.',
  Product: 'A product of the menu.',
  Category: 'A category of the menu. Only published products are counted and listed.',
  Pagination: 'The position of a page in its list.',
  Entry:
    'An entry of a CMS database: its `id` and the selected fields. The system fields are `published`, `createdAt` and `updatedAt`. A field without a value is `null`. A relation to many without targets is `[]`.',
  EntryValues:
    'Field keys and their new values. A localized field takes an object from language to string, which is merged. `null` removes one language, or clears a field.',
  SelectOption: 'One of the values that a field offers.',
  Validations: 'The rules for an answer. It contains only those for the type of the field.',
  FormField: 'A field of a form.',
  Form: 'A form with its fields, sorted by their `order`.',
  FormAnswers:
    'Answers by the `ref` of their field: a string, a number, `true` or `false`, or a list of strings. `null`, a blank string and `[]` are no answer. Names that start with `_` are your own metadata, never answers.',
  DirectUpload: 'How to send the bytes of an announced file to the bucket.',
  AnnouncedFile: 'A file without its bytes, and the URL to send them to.',
  AnnouncedImage: 'An image without its bytes, and the URL to send them to.',
  UploadedFile: 'A stored file. Other requests refer to it by `id` or `s3Key`.',
  RecordMembers: 'Properties of a record: all of them, or those that a JSON Merge Patch changes.',
  IssuedApiKey: 'An API key with its secret, which no other response contains.',
  IssuedWebhook: 'A webhook with its secret, which no other response contains.',
  Profile: 'The profile of the signed-in member.',
  AuditEvent: 'One change of one record: its actor, its time and the changed paths, but no values.',
  Conversation: 'A conversation with a customer, or a thread of one.',
  Message: 'A message of a conversation. Only replies of agents have the properties after `createdAt`.',
  Issue: 'One error in a request: its path, a stable code for programs, and a message that says what is valid.',
};

type Texts = Readonly<Record<string, string>>;

const times = {
  createdAt: 'The time of creation: ISO 8601 with milliseconds, in UTC.',
  updatedAt: 'The time of the last change: ISO 8601 with milliseconds, in UTC.',
};

const uploadedFile = {
  name: 'The name of the file, without characters that URLs and file systems do not allow.',
  s3Key: 'The key of the file in the bucket, which is the rest of its download path.',
  type: 'The media type.',
  url: 'The URL of the file. It needs a key of the workspace.',
};

/** Descriptions of properties with names that need an explanation. */
export const propertyTexts: Partial<Record<SchemaName, Texts>> = {
  Image: {
    url: 'The URL of the image: http, https, or a path that begins with one slash.',
    alt: 'A description of the image, for people who cannot see it.',
    width: 'The width in pixels.',
    height: 'The height in pixels.',
  },
  PriceOption: {
    price: "The price in the major unit of the workspace's currency, with at most 3 decimals.",
    name: 'The name of this price option, such as a size.',
    default: 'Whether it is preselected.',
  },
  OptionSet: {
    required: 'Whether the guest must choose an option.',
    min: 'The minimum number of options.',
    max: 'The maximum number of options; `null` for no maximum.',
    allowDuplicates: 'Whether one option may be chosen more than once.',
  },
  NutritionFacts: { calories: 'In kilocalories.' },
  Product: {
    slug: 'The name of the product in URLs.',
    intro: 'A short text for lists.',
    preparationTime: 'The preparation time in minutes.',
    published: 'Whether guests can see it.',
    soldout: 'Whether it currently cannot be ordered.',
    suggestions: 'Other published products that go with it.',
    category: 'The category of the product.',
    optionSets: 'Modifiers.',
    cmsData:
      'The published CMS entries that relate to this product, by the id of their database, newest first. Their own relations are `{ "id" }`. Absent with `includeCmsData=false`, and `{}` for keys without `cms:entry:read`.',
    ...times,
  },
  Category: {
    productsCount: 'The number of published products.',
    products: 'The published products; present only with `includeProducts=true`.',
    ...times,
  },
  Pagination: {
    page: 'The number of this page.',
    limit: 'The maximum number of items on a page.',
    total: 'The number of items in the whole list.',
    totalPages: 'The number of pages; 0 for an empty list.',
    hasMore: 'Whether more pages follow.',
  },
  Entry: { id: 'The id of the entry within its database.' },
  SelectOption: { value: 'The value that is stored and sent.', label: 'The text that people see.' },
  Validations: {
    required: 'Whether an answer is required. A `CHECKBOX` or `CONSENT` must then be `true`.',
    minLength: 'The minimum number of characters.',
    maxLength: 'The maximum number of characters.',
    min: 'The smallest number.',
    max: 'The largest number.',
    step: 'A number must be `min`, or 0 without `min`, plus a multiple of this.',
    pattern: 'A regular expression in JavaScript syntax. The whole answer must match it.',
    options: 'The options to choose from.',
    minItems: 'The minimum number of chosen options or files.',
    maxItems: 'The maximum number of chosen options or files.',
    minDate:
      'The earliest day or time, in the form of the answers. A time after `maxDate` begins a range across midnight.',
    maxDate: 'The latest day or time, in the form of the answers.',
    message: 'The error message for an answer that breaks one of these rules, instead of the default message.',
  },
  FormField: {
    ref: 'The name of the field in answers.',
    order: 'The position of the field in the form.',
    type: 'The type of answer.',
    title: 'The question.',
    validations: 'The rules for an answer.',
  },
  Conversation: {
    kind: '`main`, or the kind of a sub-conversation.',
    parentId: 'The id of the main conversation of a sub-conversation.',
    status: 'The state of work. A message of the customer reopens a `resolved` conversation.',
    assignee: 'The responsible agent or member.',
    ...times,
  },
  Message: {
    senderId: 'The id of the customer, member or agent; `null` for the system.',
    text: 'The text; empty for a message with only files.',
    attachments: 'The files, without deleted ones.',
    createdAt: times.createdAt,
    inReplyTo: 'The id of the answered message.',
    onBehalfOf: 'The person whom the reply is for.',
    model: 'The model that wrote the reply.',
    citations: 'The records that the reply refers to.',
  },
  Profile: {
    language: 'The language of the console. `null` means that of the browser.',
    workspace: 'The workspace of the session.',
    workspaces: 'All workspaces in which this person is an active member, by name, including the current one.',
    session: 'The start of the session, and its end without a renewal: the earlier of the idle and the absolute end.',
  },
  UploadedFile: uploadedFile,
  AnnouncedFile: { ...uploadedFile, upload: 'How to send the bytes, once and within 15 minutes.' },
};
