import type { Member } from '#lib/client/types.ts';
import { memberCalls } from '../../data/access-calls.ts';
import { useAllRecords } from '../../data/records.ts';
import { useMay } from '../../data/session-context.tsx';
import { useField } from '../../editing/editor-context.tsx';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { accessTexts } from './texts.ts';

/** The member of a key, which is chosen at its creation. */
export function MemberSelect({ isFixed }: { readonly isFixed: boolean }) {
  const mayRead = useMay('access:member:read');
  const { value } = useField('memberId');
  if (!mayRead || (isFixed && value === null)) return null;
  return <Choice isFixed={isFixed} />;
}

function Choice({ isFixed }: { readonly isFixed: boolean }) {
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
