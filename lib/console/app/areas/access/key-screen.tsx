import { useMemo, useState } from 'react';
import { keyCalls } from '../../data/access-calls.ts';
import type { RecordCalls } from '../../data/records.ts';
import { navigate } from '../../shell/location.ts';
import { KeyEditor } from './key-editor.tsx';
import { type Revealed, SecretDialog } from './secret-dialog.tsx';

/** One key, and its new secret after a creation or rotation. @param id `new` for a new key */
export function KeyScreen({ id }: { readonly id: string }) {
  const [revealed, setRevealed] = useState<Revealed>();
  // A change outside the form rereads the key.
  const [version, setVersion] = useState(0);
  const calls = useMemo(() => withoutSecrets(setRevealed), []);
  const isNew = id === 'new';
  const close = () => {
    setRevealed(undefined);
    if (isNew && revealed) navigate(`/access/keys/${encodeURIComponent(revealed.id)}`, { replace: true, isDone: true });
  };
  return (
    <>
      <KeyEditor
        key={version}
        id={isNew ? undefined : id}
        calls={calls}
        reveal={setRevealed}
        onChanged={() => setVersion((now) => now + 1)}
      />
      {revealed && <SecretDialog revealed={revealed} close={close} />}
    </>
  );
}

/** Removes the secret from the answer before the form stores the record. */
const withoutSecrets = (reveal: (revealed: Revealed) => void): RecordCalls => ({
  list: (query) => keyCalls.list(query),
  get: keyCalls.get,
  update: keyCalls.update,
  delete: (id) => keyCalls.delete(id),
  create: async (input, options) => {
    const { record, etag } = await keyCalls.create(input, options);
    const { secret, ...rest } = record;
    reveal({
      id: record.id,
      name: String(rest['name'] ?? ''),
      secret: typeof secret === 'string' ? secret : undefined,
    });
    return { record: { ...rest, id: record.id }, etag };
  },
});
