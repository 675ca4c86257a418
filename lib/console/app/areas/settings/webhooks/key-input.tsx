import type { ApiKey } from '#lib/client/types.ts';
import { keyCalls } from '../../../data/access-calls.ts';
import { useAllRecords } from '../../../data/records.ts';
import { useMay } from '../../../data/session-context.tsx';
import { useField } from '../../../editing/editor-context.tsx';
import { SelectInput, TextInput } from '../../../editing/fields.tsx';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { webhookTexts } from './texts.ts';

/** The key of a webhook: chosen from those that work, or named by members who may not see keys. */
export function KeyInput() {
  const t = useCatalogue(webhookTexts);
  const mayRead = useMay('access:key:read');
  const { value } = useField('apiKeyId');
  const { data: keys = [] } = useAllRecords<ApiKey>('api-keys', keyCalls, {}, mayRead);
  const shared = { path: 'apiKeyId', label: t.apiKeyId, hint: t.apiKeyHint };
  if (!mayRead) return <TextInput {...shared} direction="ltr" empty={null} />;
  const now = new Date().toISOString();
  const works = ({ expiresAt, revokedAt }: ApiKey) => [expiresAt, revokedAt].every((end) => end === null || end > now);
  const offered = keys.filter((key) => works(key) || key.id === value);
  const isMissing = typeof value === 'string' && !offered.some(({ id }) => id === value);
  const options = [
    ...offered.map(({ id, name }) => ({ value: id, label: name || id })),
    ...(isMissing ? [{ value, label: value }] : []),
  ];
  return <SelectInput {...shared} options={options} />;
}
