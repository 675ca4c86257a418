import { shellQuote } from './shell-quote.ts';

/** The parts of a validated workspace document that the tour shows. */
export interface TouredDocument {
  readonly workspace: { readonly id: string; readonly name: string; readonly defaultLanguage: string };
  readonly apiKeys: readonly TouredKey[];
  readonly cms: { readonly models: readonly TouredModel[]; readonly entries: readonly TouredEntry[] };
}

interface TouredKey {
  readonly name: string;
  readonly secret: string;
  readonly permissions: readonly string[];
  readonly expiresAt?: string | null;
  readonly revokedAt?: string | null;
}

interface TouredModel {
  readonly id: string;
  readonly fields: readonly {
    readonly key: string;
    readonly type: string;
    readonly localized?: boolean;
    readonly hidden?: boolean;
    readonly relation?: { readonly to: string };
  }[];
}

interface TouredEntry {
  readonly id: string;
  readonly modelId: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The lines about the demo workspace in the terminal: its keys, and three calls that work as printed. */
export function demoTour(document: TouredDocument, url: string): string[] {
  const { workspace, apiKeys } = document;
  const width = Math.max(...apiKeys.map(({ secret }) => secret.length));
  return [
    `Workspace "${workspace.name}" (${workspace.id}). Its API keys:`,
    '',
    ...apiKeys.map((key) => `  ${key.secret.padEnd(width)}  ${key.name}: ${permissionsText(key)}`),
    '',
    'Try:',
    '',
    ...[relationCall(document, url), menuCall(document, url), updateCall(document, url)].flatMap((call) => call ?? []),
  ];
}

const isUsable = ({ expiresAt, revokedAt }: TouredKey): boolean =>
  [expiresAt, revokedAt].every((time) => !time || Date.parse(time) > Date.now());

const permissionsText = (key: TouredKey): string =>
  isUsable(key) ? key.permissions.join(', ') || 'nothing' : 'no longer valid, to see how that is answered';

/** The secret of the first usable key with a permission. */
export const secretWith = (permission: string, { apiKeys }: TouredDocument): string | undefined =>
  apiKeys.find((key) => isUsable(key) && key.permissions.includes(permission))?.secret;

function menuCall(document: TouredDocument, url: string): string | undefined {
  const secret = secretWith('menu:product:read', document);
  const address = `${url}/api/public/menu/products?limit=2&apiKey=${encodeURIComponent(secret ?? '')}`;
  return secret && curl([], address);
}

/** A list with chosen fields of a database and of a related database. */
function relationCall(document: TouredDocument, url: string): string | undefined {
  const secret = secretWith('cms:entry:read', document);
  const { models } = document.cms;
  for (const { id, fields } of models) {
    const text = visibleText(fields);
    const relation = fields.find(({ relation, hidden }) => !hidden && relation?.to.startsWith('cms:'));
    const target = models.find((model) => relation?.relation?.to === `cms:${model.id}` && model.id !== id);
    const targetText = target && visibleText(target.fields);
    if (!secret || !text || !relation || !targetText) continue;
    const list = `${text.key},${relation.key}(${targetText.key})`;
    return curl([`x-api-key: ${secret}`], `${url}${modelPath(id)}/list?fields=${list}&limit=5`);
  }
  return undefined;
}

/** A change of one language of one field. */
function updateCall(document: TouredDocument, url: string): string | undefined {
  const secret = secretWith('cms:entry:update', document);
  const { cms, workspace } = document;
  for (const { id, modelId, values } of cms.entries) {
    const field = visibleText(cms.models.find((model) => model.id === modelId)?.fields ?? []);
    const text = field && (values[field.key] as Record<string, string> | undefined)?.[workspace.defaultLanguage];
    if (!secret || !text) continue;
    const change = { values: { [field.key]: { [workspace.defaultLanguage]: `${text} (edited)` } } };
    const headers = [`Authorization: Bearer ${secret}`, 'Content-Type: application/json'];
    const address = `${url}${modelPath(modelId)}/${encodeURIComponent(id)}?fields=${field.key},updatedAt`;
    return curl(headers, address, `-X PATCH --data-binary ${shellQuote(JSON.stringify(change))}`);
  }
  return undefined;
}

const visibleText = (fields: TouredModel['fields']) =>
  fields.find(({ type, localized, hidden }) => type === 'text' && localized && !hidden);

const modelPath = (modelId: string): string => `/api/public/cms/${encodeURIComponent(modelId)}`;

const curl = (headers: readonly string[], address: string, options = ''): string =>
  ['  curl', options, ...headers.map((header) => `-H ${shellQuote(header)}`), shellQuote(address)]
    .filter(Boolean)
    .join(' ');
