import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const demoFile = fileURLToPath(new URL('./demo-workspace.json', import.meta.url));

interface DemoKey {
  readonly name: string;
  readonly secret: string;
  readonly permissions: readonly string[];
  readonly expiresAt?: string | null;
}

const keysOf = async (): Promise<readonly DemoKey[]> => JSON.parse(await readFile(demoFile, 'utf8')).apiKeys;

/** The lines about the demo workspace in the terminal: its keys, and three calls that work as printed. */
export async function demoTour(): Promise<(url: string) => readonly string[]> {
  const keys = await keysOf();
  const width = Math.max(...keys.map(({ secret }) => secret.length));
  const [site = '', editor = ''] = keys.map(({ secret }) => secret);
  return (url) => [
    'Workspace "Saffron Kitchen" (ws_saffron). Its API keys:',
    '',
    ...keys.map((key) => `  ${key.secret.padEnd(width)}  ${key.name}: ${permissionsText(key)}`),
    '',
    'Try:',
    '',
    `  curl -H 'x-api-key: ${site}' '${url}/api/public/cms/articles/list?fields=title,author(name)&limit=5'`,
    `  curl '${url}/api/public/menu/products?limit=2&apiKey=${site}'`,
    `  curl -X PATCH --data-binary '{"values":{"name":{"en":"Noura Al-Qahtani (edited)"}}}' -H 'Authorization: Bearer ${editor}' -H 'Content-Type: application/json' '${url}/api/public/cms/chefs/chef_noura?fields=name,updatedAt'`,
  ];
}

const isUsable = ({ expiresAt }: DemoKey): boolean => !expiresAt || Date.parse(expiresAt) > Date.now();

const permissionsText = (key: DemoKey): string =>
  isUsable(key) ? key.permissions.join(', ') : 'no longer valid, to see how that is answered';

/** Finds the secret of a key with a permission. */
export const demoSecret = async (permission: string): Promise<string | undefined> =>
  (await keysOf()).find((key) => isUsable(key) && key.permissions.includes(permission))?.secret;
