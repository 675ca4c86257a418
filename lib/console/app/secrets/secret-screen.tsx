import { type ComponentType, useMemo, useRef, useState } from 'react';
import { textOf } from '#lib/domain/input.ts';
import type { RecordCalls } from '../data/records.ts';
import { leaveRecord } from '../history/use-undo.tsx';
import { navigate } from '../shell/location.ts';
import { type Revealed, SecretDialog } from './secret-dialog.tsx';

export interface SecretFormProps {
  /** Absent for a new record. */
  readonly id: string | undefined;
  readonly calls: RecordCalls;
  readonly reveal: (revealed: Revealed) => void;
  /** Called with the id when a new record is gone again. */
  readonly onUndone: (id: string) => void;
}

interface Props {
  /** `new` for a new record. */
  readonly id: string;
  readonly calls: RecordCalls;
  /** The address of the list. */
  readonly back: string;
  readonly form: ComponentType<SecretFormProps>;
}

/** The form of a record, and its new secret after a creation or rotation. */
export function SecretScreen({ id, calls: stored, back, form: Form }: Props) {
  const [revealed, setRevealed] = useState<Revealed>();
  const shown = useRef<string>(undefined);
  const reveal = (next: Revealed | undefined) => {
    shown.current = next?.id;
    setRevealed(next);
  };
  const calls = useMemo(
    () =>
      withoutSecrets(stored, (next) => {
        shown.current = next.id;
        setRevealed(next);
      }),
    [stored],
  );
  const isNew = id === 'new';
  const close = () => {
    reveal(undefined);
    if (isNew && revealed) navigate(`${back}/${encodeURIComponent(revealed.id)}`, { replace: true, isDone: true });
  };
  const leave = (gone: string) => {
    if (shown.current !== gone) return leaveRecord(gone, back);
    reveal(undefined);
    navigate(back, { isDone: true });
  };
  return (
    <>
      <Form id={isNew ? undefined : id} calls={calls} reveal={reveal} onUndone={leave} />
      {revealed && <SecretDialog revealed={revealed} close={close} />}
    </>
  );
}

/** Removes the secret from the answer to a creation before the form stores the record. */
const withoutSecrets = (calls: RecordCalls, reveal: (revealed: Revealed) => void): RecordCalls => ({
  list: (query) => calls.list(query),
  get: (id) => calls.get(id),
  update: (id, patch, options) => calls.update(id, patch, options),
  delete: (id, options) => calls.delete(id, options),
  create: async (input, options) => {
    const { record, etag } = await calls.create(input, options);
    const { secret, ...rest } = record;
    const name = textOf(rest['name']) || textOf(rest['url']);
    reveal({ id: record.id, name, secret: typeof secret === 'string' ? secret : undefined });
    return { record: { ...rest, id: record.id }, etag };
  },
});
