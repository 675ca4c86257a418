import type { ApiKey } from '#lib/client/types.ts';
import { keyCalls } from '../../../data/access-calls.ts';
import { client } from '../../../data/client.ts';
import { useAllRecords } from '../../../data/records.ts';
import { useMay } from '../../../data/session-context.tsx';
import { DeleteButton } from '../../../editing/delete-button.tsx';
import { useField } from '../../../editing/editor-context.tsx';
import { EditorForm } from '../../../editing/editor-form.tsx';
import { SelectInput, TextInput } from '../../../editing/fields.tsx';
import { type RecordEditor, useRecordEditor } from '../../../editing/use-record-editor.ts';
import { usePatch } from '../../../history/use-patch.ts';
import { RotateButton } from '../../../secrets/rotate-button.tsx';
import type { Revealed } from '../../../secrets/secret-dialog.tsx';
import { type SecretFormProps, SecretScreen } from '../../../secrets/secret-screen.tsx';
import { fill } from '../../../texts/catalogue.ts';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhookTexts } from './texts.ts';
import { TypesInput } from './types-input.tsx';
import { WebhookTag } from './webhook-list.tsx';

const back = '/settings/webhooks';
const blank = { url: '', description: null, apiKeyId: null, types: [] };

/** One webhook. @param id `new` for a new webhook */
export const WebhookScreen = ({ id }: { readonly id: string }) => (
  <SecretScreen id={id} calls={client.manage.webhooks} back={back} form={Editor} />
);

function Editor({ id, calls, reveal, onUndone }: SecretFormProps) {
  const t = useCatalogue(webhookTexts);
  const mayManage = useMay('webhooks:webhook:manage');
  const editor = useRecordEditor({ kind: 'webhooks', calls, id, blank });
  const { url, enabled, disabledReason } = editor.storedValue;
  const name = String(url ?? '');
  const labels: Readonly<Record<string, string>> = t;
  return (
    <EditorForm
      editor={editor}
      isReadOnly={!mayManage}
      title={id === undefined ? t.newWebhook : <bdi dir="ltr">{name}</bdi>}
      back={{ to: back, text: t.webhooks }}
      labelOf={(path) => labels[path.split('.')[0] ?? ''] ?? path}
      onUndone={onUndone}
      actions={
        id !== undefined &&
        mayManage && (
          <>
            <WebhookActions id={id} name={name} isEnabled={enabled === true} editor={editor} reveal={reveal} />
            <DeleteButton
              kind="webhooks"
              calls={calls}
              id={id}
              name={name}
              title={fill(t.deleteTitle, { name })}
              back={back}
              editor={editor}
            />
          </>
        )
      }
    >
      <fieldset className="stack" disabled={!mayManage}>
        <section className="card stack" aria-label={t.url}>
          {!mayManage && <p className="notice">{t.readOnly}</p>}
          {id !== undefined && (
            <p>
              <WebhookTag enabled={enabled === true} disabledReason={disabledReason} />
            </p>
          )}
          <div className="form-grid">
            <TextInput path="url" label={t.url} hint={t.urlHint} type="url" direction="ltr" />
            <KeyInput />
            <TextInput path="description" label={t.description} empty={null} />
          </div>
        </section>
        <TypesInput />
      </fieldset>
      {id !== undefined && <Deliveries id={id} isEnabled={enabled === true} />}
    </EditorForm>
  );
}

interface ActionsProps {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly editor: RecordEditor;
  readonly reveal: (revealed: Revealed) => void;
}

/** Switches a webhook on or off, or rotates its secret. The actions take effect immediately. */
function WebhookActions({ id, name, isEnabled, editor, reveal }: ActionsProps) {
  const t = useCatalogue(webhookTexts);
  const { mutate, isPending } = usePatch('webhooks', client.manage.webhooks);
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = isPending || editor.isDirty;
  const patch = { enabled: !isEnabled };
  const former = { enabled: isEnabled };
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isBusy}
        onClick={() => mutate({ id, patch, former, text: isEnabled ? t.nowOff : t.nowOn })}
      >
        {isEnabled ? t.switchOff : t.switchOn}
      </button>
      <RotateButton
        name={name}
        editor={editor}
        rotate={(grace, options) => client.manage.webhooks.rotate(id, grace, options)}
        reveal={reveal}
        isDisabled={isBusy}
      />
    </>
  );
}

/** The key of a webhook: chosen from those that work, or named by members who may not see keys. */
function KeyInput() {
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
