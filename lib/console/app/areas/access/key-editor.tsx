import type { Member } from '#lib/client/types.ts';
import { keyCalls, memberCalls } from '../../data/access-calls.ts';
import { client } from '../../data/client.ts';
import { dayOf, daysAhead, endOfDay } from '../../data/days.ts';
import { useAllRecords } from '../../data/records.ts';
import { useMay } from '../../data/session-context.tsx';
import { useField } from '../../editing/editor-context.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { TextInput } from '../../editing/fields.tsx';
import { type RecordEditor, useRecordEditor } from '../../editing/use-record-editor.ts';
import { usePatch } from '../../history/use-patch.ts';
import { RotateButton } from '../../secrets/rotate-button.tsx';
import type { Revealed } from '../../secrets/secret-dialog.tsx';
import { type SecretFormProps, SecretScreen } from '../../secrets/secret-screen.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useTexts } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { type Ends, keyState } from './key-state.ts';
import { KeyTag } from './key-tag.tsx';
import { labelOf } from './labels.ts';
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

const usualDays = [30, 90, 365];

/** An input for the last day of a key. */
function ExpiryInput() {
  const t = useCatalogue(accessTexts);
  // Arabic has six forms of a counted noun.
  const inDays = new Intl.NumberFormat(useFormatLocale(), { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const { value, set, error } = useField('expiresAt');
  return (
    <div className="stack">
      <Field label={t.expiry} hint={t.expiryHint} error={error}>
        {(attributes) => (
          <input
            type="date"
            dir="ltr"
            {...attributes}
            value={dayOf(value)}
            onChange={({ target }) => set(endOfDay(target.value))}
          />
        )}
      </Field>
      <div className="row">
        {usualDays.map((days) => (
          <button key={days} type="button" className="button small" onClick={() => set(daysAhead(days, Date.now()))}>
            {fill(t.inDays, { time: inDays.format(days) })}
          </button>
        ))}
        {typeof value === 'string' && (
          <button type="button" className="button small quiet" onClick={() => set(null)}>
            {t.noExpiry}
          </button>
        )}
      </div>
    </div>
  );
}

/** The member of a key, which is chosen at its creation. */
function MemberSelect({ isFixed }: { readonly isFixed: boolean }) {
  const mayRead = useMay('access:member:read');
  const { value } = useField('memberId');
  if (!mayRead || (isFixed && value === null)) return null;
  return <MemberChoice isFixed={isFixed} />;
}

function MemberChoice({ isFixed }: { readonly isFixed: boolean }) {
  const t = useCatalogue(accessTexts);
  const { none } = useTexts();
  const { value, set, error } = useField('memberId');
  const { data: members = [] } = useAllRecords<Member>('members', memberCalls);
  const chosen = typeof value === 'string' ? value : '';
  return (
    <Field label={t.member} hint={t.memberHint} error={error}>
      {(attributes) => (
        <select
          {...attributes}
          value={chosen}
          disabled={isFixed}
          onChange={({ target }) => set(target.value === '' ? null : target.value)}
        >
          <option value="">{none}</option>
          {chosen !== '' && !members.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
          <Options of={members.map(({ id, name }) => ({ value: id, label: name || id }))} />
        </select>
      )}
    </Field>
  );
}

interface ActionsProps {
  readonly id: string;
  readonly name: string;
  readonly ends: Ends;
  readonly editor: RecordEditor;
  readonly reveal: (revealed: Revealed) => void;
}

/** Rotates or revokes a key, or restores a revoked one. The actions take effect immediately. */
function KeyActions({ id, name, ends, editor, reveal }: ActionsProps) {
  const t = useCatalogue(accessTexts);
  const confirm = useConfirm();
  const { mutate, isPending } = usePatch('api-keys', keyCalls);
  const isRevoked = keyState(ends, Date.now()) === 'revoked';
  const change = (revokedAt: string | null, text: string) =>
    mutate({ id, patch: { revokedAt }, former: { revokedAt: ends.revokedAt }, text });
  const revoke = async () => {
    const question = { title: fill(t.revokeTitle, { name }), text: t.revokeText, action: t.revoke, isDangerous: true };
    if (await confirm(question)) change(new Date().toISOString(), t.nowRevoked);
  };
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = isPending || editor.isDirty;
  if (isRevoked) {
    return (
      <button type="button" className="button" disabled={isBusy} onClick={() => change(null, t.restored)}>
        {t.restore}
      </button>
    );
  }
  return (
    <>
      <RotateButton
        name={name}
        editor={editor}
        rotate={(grace, options) => client.access.rotateKey(id, grace, options)}
        reveal={reveal}
        isDisabled={isBusy}
      />
      <button type="button" className="button quiet warns" disabled={isBusy} onClick={revoke}>
        {t.revoke}
      </button>
    </>
  );
}
