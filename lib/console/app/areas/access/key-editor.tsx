import { keyCalls } from '../../data/access-calls.ts';
import { useMay } from '../../data/session-context.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { TextInput } from '../../editing/fields.tsx';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { type SecretFormProps, SecretScreen } from '../../secrets/secret-screen.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { ExpiryInput } from './expiry-input.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyTag } from './key-tag.tsx';
import { labelOf } from './labels.ts';
import { MemberSelect } from './member-select.tsx';
import { PermissionsInput } from './permissions/permissions-input.tsx';
import { keyPresets } from './permissions/presets.ts';
import { accessTexts } from './texts.ts';

const blank = { name: '', permissions: [...keyPresets.website], memberId: null, expiresAt: null };

/** One key. @param id `new` for a new key */
export const KeyScreen = ({ id }: { readonly id: string }) => (
  <SecretScreen id={id} calls={keyCalls} back="/access/keys" form={KeyEditor} />
);

function KeyEditor({ id, calls, reveal, onUndone }: SecretFormProps) {
  const t = useCatalogue(accessTexts);
  const mayManage = useMay('access:key:manage');
  const editor = useRecordEditor({ kind: 'api-keys', calls, id, blank });
  const { value } = editor;
  const name = String(value['name'] ?? '') || (id ?? '');
  const ends = { expiresAt: textOrNull(value['expiresAt']), revokedAt: textOrNull(value['revokedAt']) };
  const isStored = id !== undefined;
  return (
    <EditorForm
      editor={editor}
      isReadOnly={!mayManage}
      title={isStored ? name : t.newKey}
      back={{ to: '/access/keys', text: t.keys }}
      labelOf={labelOf(t)}
      onUndone={onUndone}
      actions={isStored && mayManage && <KeyActions id={id} name={name} ends={ends} editor={editor} reveal={reveal} />}
    >
      <fieldset className="stack" disabled={!mayManage}>
        <section className="card stack" aria-label={t.basics}>
          {isStored && (
            <p>
              <KeyTag ends={ends} />
            </p>
          )}
          <div className="form-grid">
            <TextInput path="name" label={t.name} hint={t.keyNameHint} />
            <ExpiryInput />
            <MemberSelect isFixed={isStored} />
          </div>
        </section>
        <PermissionsInput presets={keyPresets} />
      </fieldset>
    </EditorForm>
  );
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
