import type { Agent } from '#lib/domain/messaging/agent.ts';
import { client } from '../../../data/client.ts';
import { useAllRecords } from '../../../data/records.ts';
import { useMay } from '../../../data/session-context.tsx';
import { useField } from '../../../editing/editor-context.tsx';
import { SelectInput, TextInput } from '../../../editing/fields.tsx';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { messagingTexts } from './texts.ts';

/** The fields of a channel, with its agent. */
export function ChannelFields() {
  const t = useCatalogue(messagingTexts);
  const mayRead = useMay('messaging:agent:read');
  const { data: agents = [] } = useAllRecords<Agent>('agents', client.manage.agents, {}, mayRead);
  const { value } = useField('agentId');
  const options = agents.map(({ id, name }) => ({ value: id, label: name || id }));
  // A stored agent that does not exist, or cannot be read, is still shown.
  const isOther = typeof value === 'string' && !options.some((agent) => agent.value === value);
  return (
    <div className="form-grid">
      <TextInput path="name" label={t.name} empty={null} />
      <TextInput path="type" label={t.type} hint={t.typeHint} direction="ltr" />
      <TextInput path="identifier" label={t.identifier} hint={t.identifierHint} direction="ltr" />
      <SelectInput
        path="agentId"
        label={t.agentId}
        options={isOther ? [...options, { value, label: value }] : options}
        none={t.noAgent}
      />
    </div>
  );
}
