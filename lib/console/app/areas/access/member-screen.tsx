import { type ReactNode, useState } from 'react';
import { memberCalls } from '../../data/access-calls.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { SelectInput, TextInput } from '../../editing/fields.tsx';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { navigate } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { labelOf } from './labels.ts';
import { MemberActions } from './member-actions.tsx';
import { PermissionsInput } from './permissions/permissions-input.tsx';
import { memberPresets } from './permissions/presets.ts';
import { accessTexts } from './texts.ts';
import { useInvite } from './use-invite.ts';

const blank = { name: '', email: null, permissions: [] };
const languages = [
  { value: 'en', label: 'English' },
  { value: 'ar', label: 'العربية' },
];

/** One member. @param id `new` for a new member */
export function MemberScreen({ id: address }: { readonly id: string }) {
  const id = address === 'new' ? undefined : address;
  const t = useCatalogue(accessTexts);
  const mayManage = useMay('access:member:manage');
  const { id: own } = useProfile();
  const editor = useRecordEditor({ kind: 'members', calls: memberCalls, id, blank });
  const invite = useInvite();
  const [isInvited, setInvited] = useState(true);
  const { value } = editor;
  const name = String(value['name'] ?? '') || (id ?? '');
  const email = typeof value['email'] === 'string' ? value['email'] : null;
  const isStored = id !== undefined;
  const onSaved = (saved: string, undo: ReactNode) => {
    if (isStored) return;
    if (isInvited && email !== null) invite.mutate({ id: saved, email, undo });
    navigate(`/access/members/${encodeURIComponent(saved)}`, { replace: true, isDone: true });
  };
  return (
    <EditorForm
      editor={editor}
      isReadOnly={!mayManage}
      title={isStored ? name : t.newMember}
      back={{ to: '/access/members', text: t.members }}
      labelOf={labelOf(t)}
      onSaved={onSaved}
      actions={
        isStored &&
        mayManage && <MemberActions member={{ id, name, email, isActive: value['active'] !== false }} editor={editor} />
      }
    >
      <fieldset className="stack" disabled={!mayManage}>
        <section className="card stack" aria-label={t.basics}>
          {value['active'] === false && (
            <p>
              <span className="tag bad">{t.inactive}</span>
            </p>
          )}
          {id === own && <p className="notice">{t.ownHint}</p>}
          <div className="form-grid">
            <TextInput path="name" label={t.name} />
            <TextInput path="email" label={t.email} hint={t.emailHint} type="email" direction="ltr" empty={null} />
            <SelectInput path="language" label={t.language} options={languages} none={t.asBrowser} />
          </div>
          {!isStored && (
            <label className="check">
              <input type="checkbox" checked={isInvited} onChange={({ target }) => setInvited(target.checked)} />
              <span>{t.inviteNow}</span>
            </label>
          )}
        </section>
        <PermissionsInput presets={memberPresets} />
      </fieldset>
    </EditorForm>
  );
}
