import { randomUUID } from 'node:crypto';
import { newWorkspaceId } from './every-kind.ts';
import { chat, talk, visitors } from './presets/chat.ts';
import { forms } from './presets/forms.ts';
import { access, demo, drive, files, kitchen, media } from './presets/kitchen.ts';
import type { Opened, Preset } from './presets/preset.ts';
import { records } from './presets/records.ts';
import { type Document, storeWorkspace } from './world.ts';

const presets = { kitchen, access, files, drive, media, demo, records, forms, chat, talk, visitors } as const;
export type PresetName = keyof typeof presets;

/** A workspace of a test. All of one preset have the same ids and slugs. */
export type Workspace<Name extends PresetName = 'kitchen'> =
  (typeof presets)[Name] extends Preset<infer Key, infer Calls> ? Opened<Key> & Calls : never;

/** Stores a new workspace; `change` may first alter its document. test/README.md lists the presets. */
export async function openWorkspace<Name extends PresetName>(
  name: Name,
  change: (document: Document) => void = () => undefined,
): Promise<Workspace<Name>> {
  const { keys, fill, calls } = presets[name] as Preset<string, object>;
  const workspaceId = newWorkspaceId();
  const canary = `canary-${randomUUID()}`;
  const secretOf = (key: string): string => `${key.replaceAll(':', '-')}-${workspaceId}`;
  const document: Document = {
    version: 1,
    workspace: { id: workspaceId, name: canary, languages: ['en', 'ar'], defaultLanguage: 'en', currency: 'SAR' },
    members: [],
    apiKeys: Object.entries(keys).map(([key, rest]) => ({
      id: `key_${key}`,
      name: key,
      secret: secretOf(key),
      ...structuredClone(rest),
    })),
  };
  fill(document, canary);
  change(document);
  await storeWorkspace(document);
  const secrets = Object.fromEntries(Object.keys(keys).map((key) => [key, secretOf(key)]));
  const opened: Opened = { workspaceId, canary, document, keys: secrets };
  return { ...opened, ...calls?.(opened) } as Workspace<Name>;
}
