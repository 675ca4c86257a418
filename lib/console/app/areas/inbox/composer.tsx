import { type FormEvent, useId, useRef } from 'react';
import { OtherDrafts } from '../../drafts/other-drafts.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { filesMax, textMax } from './reply-draft.ts';
import { inboxTexts } from './texts.ts';
import { useReply } from './use-reply.ts';

interface Props {
  /** The id of the conversation. */
  readonly id: string;
  readonly onSent: () => unknown;
}

/** A reply as the signed-in member. The text survives a reload; files may be dropped or pasted. */
export function Composer({ id, onSent }: Props) {
  const t = useCatalogue(inboxTexts);
  const field = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const reply = useReply(id, onSent);
  const { draft, isSending, isUploading } = reply;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void reply.send().then(() => box.current?.focus());
  };
  const isTooLong = [...draft.text].length > textMax;
  return (
    <form
      className="inbox-composer"
      onSubmit={submit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        reply.attach([...event.dataTransfer.files]);
      }}
    >
      <OtherDrafts others={reply.others} restore={reply.restore} />
      {reply.failure !== undefined && (
        <p className="notice failed" role="alert">
          {reply.failure}
        </p>
      )}
      <label className="visually-hidden" htmlFor={field}>
        {t.reply}
      </label>
      <textarea
        id={field}
        ref={box}
        rows={2}
        // A placeholder reads in the direction of the page.
        dir={draft.text === '' ? undefined : 'auto'}
        placeholder={t.reply}
        aria-describedby={`${field}-hint`}
        aria-invalid={isTooLong || undefined}
        value={draft.text}
        readOnly={isSending}
        onChange={({ target }) => reply.write(target.value)}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          reply.attach(files);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      {isTooLong && <p className="error">{fill(t.tooLong, { count: textMax })}</p>}
      {draft.files.length > filesMax && <p className="error">{fill(t.tooManyFiles, { count: filesMax })}</p>}
      <Files files={draft.files} remove={reply.detach} />
      <div className="inbox-composer-foot">
        <AttachButton isBusy={isUploading || isSending} attach={reply.attach} />
        <span className="hint" id={`${field}-hint`}>
          {t.replyHint}
        </span>
        <button type="submit" className="button primary" disabled={!reply.canSend}>
          {isSending ? t.sending : t.send}
        </button>
      </div>
    </form>
  );
}

interface AttachProps {
  readonly isBusy: boolean;
  readonly attach: (files: readonly File[]) => void;
}

function AttachButton({ isBusy, attach }: AttachProps) {
  const t = useCatalogue(inboxTexts);
  const id = useId();
  return (
    <>
      <label className="button" htmlFor={id}>
        {isBusy ? t.uploading : t.attach}
      </label>
      <input
        id={id}
        className="visually-hidden"
        type="file"
        multiple
        disabled={isBusy}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          attach(files);
        }}
      />
    </>
  );
}

interface FilesProps {
  readonly files: readonly { readonly id: string; readonly name: string }[];
  readonly remove: (id: string) => void;
}

function Files({ files, remove }: FilesProps) {
  const t = useCatalogue(inboxTexts);
  if (files.length === 0) return null;
  return (
    <ul className="inbox-chosen">
      {files.map(({ id, name }) => (
        <li key={id} className="tag">
          <span dir="auto">{name}</span>
          <button
            type="button"
            className="button icon"
            aria-label={fill(t.removeFile, { name })}
            onClick={() => remove(id)}
          >
            <CloseIcon />
          </button>
        </li>
      ))}
    </ul>
  );
}
