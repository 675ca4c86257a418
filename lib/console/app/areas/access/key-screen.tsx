import { useMemo, useState } from 'react';
import { keyCalls } from '../../data/access-calls.ts';
import { type Revealed, SecretDialog } from '../../secrets/secret-dialog.tsx';
import { withoutSecrets } from '../../secrets/without-secrets.ts';
import { navigate } from '../../shell/location.ts';
import { KeyEditor } from './key-editor.tsx';

/** One key, and its new secret after a creation or rotation. @param id `new` for a new key */
export function KeyScreen({ id }: { readonly id: string }) {
  const [revealed, setRevealed] = useState<Revealed>();
  // A change outside the form rereads the key.
  const [version, setVersion] = useState(0);
  const calls = useMemo(() => withoutSecrets(keyCalls, setRevealed), []);
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
