import type { Agent } from '#lib/domain/messaging/agent.ts';
import { client } from '../../../data/client.ts';
import { useAllRecords } from '../../../data/records.ts';
import { useMay } from '../../../data/session-context.tsx';
import { DeleteButton } from '../../../editing/delete-button.tsx';
import { useField } from '../../../editing/editor-context.tsx';
import { EditorForm } from '../../../editing/editor-form.tsx';
import { SelectInput, TextInput } from '../../../editing/fields.tsx';
import { useRecordEditor } from '../../../editing/use-record-editor.ts';
import { navigate } from '../../../shell/location.ts';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { AgentFields } from './agent-fields.tsx';
import { EraseButton } from './erase-button.tsx';
import { type MessagingKind, nameOfRecord } from './kinds.ts';
import { messagingTexts } from './texts.ts';

interface Props {
  readonly of: MessagingKind;
  readonly id: string | undefined;
}

const fields = { agents: AgentFields, channels: ChannelFields, customers: CustomerFields };

/** One agent, channel or customer. */
export function MessagingEditor({ of: { kind, calls, manage, newText, blank }, id }: Props) {
  const t = useCatalogue(messagingTexts);
  const mayManage = useMay(manage);
  const editor = useRecordEditor({ kind, calls, id, blank });
  const back = `/settings/${kind}`;
  const name = nameOfRecord(editor.value);
  const labels: Readonly<Record<string, string>> = t;
  const Fields = fields[kind];
  return (
    <EditorForm
      editor={editor}
      title={id === undefined ? t[newText] : name}
      back={{ to: back, text: t[kind] }}
      labelOf={(path) => labels[path.split('.')[0] ?? ''] ?? path}
      isReadOnly={!mayManage}
      onSaved={(saved) =>
        id === undefined && navigate(`${back}/${encodeURIComponent(saved)}`, { replace: true, isDone: true })
      }
      actions={
        id !== undefined && (
          <>
            {kind === 'customers' && <EraseButton id={id} name={name} editor={editor} />}
            <DeleteButton kind={kind} calls={calls} id={id} name={name} back={back} editor={editor} />
          </>
        )
      }
    >
      <fieldset className="card stack" disabled={!mayManage}>
        {!mayManage && <p className="notice">{t.readOnly}</p>}
        <Fields />
      </fieldset>
    </EditorForm>
  );
}

/** The fields of a channel, with its agent. */
function ChannelFields() {
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

function CustomerFields() {
  const t = useCatalogue(messagingTexts);
  return (
    <div className="form-grid">
      <TextInput path="name" label={t.name} empty={null} />
      <TextInput path="email" label={t.email} type="email" direction="ltr" empty={null} />
      <TextInput path="phone" label={t.phone} type="tel" direction="ltr" empty={null} />
      <TextInput path="externalId" label={t.externalId} direction="ltr" empty={null} />
    </div>
  );
}
