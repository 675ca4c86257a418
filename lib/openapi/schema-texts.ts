import type { SchemaName } from './named-schemas.ts';

/** Descriptions of the named schemas. */
export const schemaTexts: Readonly<Record<SchemaName | 'Issue', string>> = {
  LocalizedText:
    'A text in several languages: an object of language code, such as `en` or `ar`, to text. In an answer to a call with `locale` it is the text in that language, or `null`; bodies always take the object.',
  Image: 'An image of a product, a category or a CMS entry.',
  PriceOption: 'One way to buy a product, such as a size.',
  OptionSet: 'A group of choices that a product can be ordered with; it and its options stand in their `order`.',
  NutritionFacts: 'What one serving of a product contains.',
  Product: 'A product of the menu.',
  Category: 'A category of the menu. What is counted and listed of it is published.',
  Pagination: 'Where a page stands in its list.',
  Entry:
    'An entry of a CMS database: `id`, and beside it the system fields `published`, `createdAt`, `updatedAt` and the fields of the database, as far as they were selected. A field without a value is `null`, a relation to many without targets is `[]`.',
  EntryValues:
    'Field keys and their new values. A localized field takes an object of language to text, which is merged; `null` removes one language, or clears a field.',
  SelectOption: 'One of the values that a field offers.',
  Validations: 'What an answer has to be; it holds only what applies to the type of the field.',
  FormField: 'A field of a form.',
  Form: 'A form with its fields by their `order`.',
  FormAnswers:
    'Answers by the `ref` of their field: text, a number, `true` or `false`, or a list of texts. `null`, blank text and `[]` are no answer. Names that start with `_` are meta data of your own and never answers.',
  DirectUpload: 'How to send the bytes of an announced file to the bucket.',
  AnnouncedImage: 'An image whose bytes are still to come, and where to send them.',
  UploadedFile: 'A stored file. Keep its `id` and `s3Key`: they are how other calls name it.',
  CmsModelRecord: 'A CMS database as it is stored, with its fields in their order.',
  CmsEntryRecord:
    'A CMS entry as a workspace document has it: values by field, relations as ids, localized texts by language.',
  RecordMembers: 'Members of a record by their names: a whole record, or those that a JSON Merge Patch changes.',
  MenuCategoryRecord: 'A menu category as it is stored.',
  MenuProductRecord: 'A menu product as it is stored: its category and its suggestions are ids.',
  FormResponseRecord:
    'A response to a form as it is stored, with `files` beside `answers`: by `ref` the files that answers to FILE fields name. Of a deleted file only its `id` is left.',
  NotificationRecord: 'A notification as it is stored.',
  AttachmentRecord: 'A file as it is stored. Its bytes are at its `s3Key`.',
  FormRecord: 'A form as it is stored, with its notifications.',
  AgentRecord: 'An agent as it is stored.',
  ChannelRecord: 'A channel as it is stored.',
  CustomerRecord: 'A customer as it is stored.',
  CmsModelInput: 'A CMS database to store. What may be left out gets its default.',
  CmsEntryInput: 'A CMS entry to store. A field without a value is left out or `null`.',
  MenuCategoryInput: 'A menu category to store. What may be left out gets its default.',
  MenuProductInput: 'A menu product to store. What may be left out gets its default.',
  FormInput: 'A form to store. What may be left out gets its default.',
  AgentInput: 'An agent to store. What may be left out gets its default.',
  ChannelInput: 'A channel to store.',
  CustomerInput: 'A customer to store. What may be left out is `null`.',
  ApiKeyInput: 'An API key to make. What may be left out gets its default.',
  ApiKeyRecord: 'An API key, without its secret.',
  IssuedApiKey: 'An API key with its secret, which no other answer has.',
  MemberInput: 'A member to store. What may be left out gets its default.',
  MemberRecord: 'A member as it is stored.',
  Profile: 'The signed-in member, as the member sees it.',
  AuditEvent: 'One change of one record: who, when and where, never a value.',
  Conversation: 'A conversation with a customer, or a thread of one.',
  Message: 'A message of a conversation. Only replies of agents have the members after `createdAt`.',
  Issue:
    'One thing that is wrong with a request: where, a stable code for programs, and a sentence that says what would be right.',
};

type Texts = Readonly<Record<string, string>>;

const times = {
  createdAt: 'When it was made: ISO 8601 with milliseconds, in UTC.',
  updatedAt: 'When it was last changed: ISO 8601 with milliseconds, in UTC.',
};

/** Descriptions of members with names that need an explanation. */
export const memberTexts: Partial<Record<SchemaName, Texts>> = {
  Image: {
    url: 'The address of the image: http, https, or a path that begins with one slash.',
    alt: 'What the image shows, for those who do not see it.',
    width: 'The width in pixels.',
    height: 'The height in pixels.',
  },
  PriceOption: {
    price: "The price in the major unit of the workspace's currency, with at most 3 decimals.",
    name: 'What tells it from the other ways to buy the product.',
    default: 'Whether it is chosen unless the guest chooses another.',
  },
  OptionSet: {
    required: 'Whether something has to be chosen.',
    min: 'How many options have to be chosen at least.',
    max: 'How many options may be chosen at most; `null` is without bound.',
    allowDuplicates: 'Whether one option may be chosen more than once.',
  },
  NutritionFacts: { calories: 'In kilocalories.' },
  Product: {
    slug: 'The name of the product in addresses.',
    intro: 'A short text for lists.',
    preparationTime: 'How many minutes it takes.',
    published: 'Whether guests are to see it.',
    soldout: 'Whether it cannot be ordered at the moment.',
    suggestions: 'Other published products that go with it.',
    category: 'The category it belongs to.',
    optionSets: 'Modifiers.',
    cmsData:
      'By the id of the CMS database: published entries that relate to this product, newest first, their own relations as `{ "id" }`. Absent when `includeCmsData=false`, and `{}` for keys without `cms:entry:read`.',
    ...times,
  },
  Category: {
    productsCount: 'How many published products it has.',
    products: 'Its published products; present only when `includeProducts=true`.',
    ...times,
  },
  Pagination: {
    page: 'The page that was asked for.',
    limit: 'How many items a page has at most.',
    total: 'How many items the whole list has.',
    totalPages: 'How many pages there are; 0 when the list is empty.',
    hasMore: 'Whether there is a page after this one.',
  },
  Entry: { id: 'The id of the entry within its database.' },
  SelectOption: { value: 'What is stored and sent.', label: 'What people are shown.' },
  Validations: {
    required: 'Whether there has to be an answer; of `CHECKBOX` and `CONSENT`, whether it has to be true.',
    minLength: 'How many characters an answer has at least.',
    maxLength: 'How many characters an answer has at most.',
    min: 'The smallest number.',
    max: 'The largest number.',
    step: 'Numbers are a multiple of this away from `min`, or else from 0.',
    pattern: 'A regular expression in the syntax of JavaScript that the whole answer matches.',
    options: 'What can be chosen.',
    minItems: 'How many things are chosen at least.',
    maxItems: 'How many things are chosen at most.',
    minDate: 'The first day or time.',
    maxDate: 'The last day or time.',
    message: 'What is said of an answer that breaks one of these rules, in place of the general words.',
  },
  FormField: {
    ref: 'The name of the field in answers.',
    order: 'Fields stand in this order.',
    type: 'What kind of answer the field takes.',
    title: 'What people are asked.',
    validations: 'What an answer has to be.',
  },
  Conversation: {
    kind: '`main`, or what a sub-conversation is about.',
    parentId: 'The main conversation that a sub-conversation belongs to.',
    status: 'What is to be done: `resolved` ones are closed, a message of the customer opens them.',
    assignee: 'The agent or the member of the team who is responsible.',
    ...times,
  },
  Message: {
    senderId: 'The id of the customer, member or agent; null of the system.',
    text: 'The text; empty where there are files alone.',
    attachments: 'The files, without those that were deleted.',
    createdAt: times.createdAt,
    inReplyTo: 'The message that is answered.',
    onBehalfOf: 'Whom the reply is for.',
    model: 'What has written the reply.',
    citations: 'The records that the reply names.',
  },
  Profile: {
    language: 'The language of the console; null leaves it to the browser.',
    workspace: 'The workspace of the session.',
    workspaces: 'All workspaces in which this person is an active member, by name; the current one is among them.',
    session:
      'When the session began, and when it ends unless it is renewed: the earlier of the idle and the absolute end.',
  },
  UploadedFile: {
    name: 'The name of the file, cleaned of what addresses and file systems cannot carry.',
    s3Key: 'Where the file is stored; the rest of the path of a download.',
    type: 'The media type.',
    url: 'The address of the file. It answers to keys of the workspace only.',
    upload: 'Present when the file was announced: how to send its bytes, once and within 15 minutes.',
  },
};
