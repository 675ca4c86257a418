import { type FormEvent, type ReactNode, useRef } from 'react';
import { Link } from 'wouter';
import type { ErrorDetail } from '#lib/client/api-error.ts';
import { errorText, faultText } from '../data/error-text.ts';
import { OtherDrafts } from '../drafts/other-drafts.tsx';
import { HistoryButton } from '../history/history-button.tsx';
import { leaveRecord, useUndo } from '../history/use-undo.tsx';
import { useCatalogue, useLanguage } from '../texts/use-texts.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { useToast } from '../ui/toasts.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { EditorProvider } from './editor-context.tsx';
import { editingTexts } from './texts.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import type { RecordEditor } from './use-record-editor.ts';

interface Props {
  readonly editor: RecordEditor;
  readonly title: ReactNode;
  /** The parent screen, e.g. the list. */
  readonly back?: { readonly to: string; readonly text: string };
  readonly children: ReactNode;
  /** Buttons beside `Save`, such as `Delete`. */
  readonly actions?: ReactNode;
  /** Called with the id when the record is stored, and with the button that undoes it. */
  readonly onSaved?: (id: string, undo: ReactNode) => void;
  /** Called with the id when a new record is gone again. @default - leaves its screen, if it is still shown */
  readonly onUndone?: (id: string) => void;
  /** Hides the save button. @default false */
  readonly isReadOnly?: boolean;
  /** True for a form with other forms on its screen. The screen then has the title. @default false */
  readonly isPart?: boolean;
  /** The name of a field in the conflict dialog. @default the path itself */
  readonly labelOf?: (path: string) => string;
}

/** The form of one record: its fields, their errors, and the save button. */
export function EditorForm(props: Props) {
  const { editor, title, back, children, onSaved, isPart, labelOf = (path) => path } = props;
  const t = useCatalogue(editingTexts);
  const toast = useToast();
  const undo = useUndo();
  const form = useRef<HTMLFormElement>(null);
  useLeaveGuard(editor.isDirty, editor.discard);
  // A shown form stays if rereading its record fails.
  if (!editor.isReady)
    return editor.loadError ? <Failure error={editor.loadError} retry={editor.reload} /> : <Loading />;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // For React, a form in a dialog is a child of the form below.
    event.stopPropagation();
    const saved = await editor.save();
    if (saved) {
      const { id } = saved.record;
      const leave = () => (props.onUndone ? props.onUndone(id) : back && leaveRecord(id, back.to));
      const action = undo.ofSave(editor, saved, leave);
      toast({ text: editor.isNew ? t.created : t.saved, action });
      onSaved?.(id, action);
    } else {
      // Focuses the first invalid field after it was marked.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
  };
  return (
    <EditorProvider value={editor}>
      <form ref={form} className="editor" onSubmit={submit} noValidate>
        <header className="editor-head">
          <div>
            {back && (
              <Link href={back.to} className="back-link">
                <span dir="auto">{back.text}</span>
              </Link>
            )}
            {isPart ? <h2>{title}</h2> : <h1 dir="auto">{title}</h1>}
          </div>
          {props.isReadOnly ? (
            <HistoryButton editor={editor} labelOf={labelOf} isReadOnly />
          ) : (
            <Actions editor={editor}>
              <HistoryButton editor={editor} labelOf={labelOf} />
              {props.actions}
            </Actions>
          )}
        </header>
        <OtherDrafts others={editor.otherDrafts} restore={editor.restore} restoredAt={editor.restoredAt} />
        <Faults faults={editor.faults} failure={editor.failure} labelOf={labelOf} />
        {children}
      </form>
      {editor.conflict && (
        <ConflictDialog
          conflict={editor.conflict}
          labelOf={labelOf}
          close={editor.closeConflict}
          resolve={editor.resolve}
        />
      )}
    </EditorProvider>
  );
}

function Actions({ editor, children }: Pick<Props, 'editor'> & { readonly children: ReactNode }) {
  const t = useCatalogue(editingTexts);
  return (
    <div className="actions">
      <span className="hint" role="status">
        {editor.isSaving ? t.saving : editor.isDirty ? t.unsaved : ''}
      </span>
      {children}
      {editor.isDirty && (
        <button type="button" className="button quiet" onClick={editor.discard}>
          {t.discard}
        </button>
      )}
      <button type="submit" className="button primary" disabled={editor.isSaving}>
        {editor.isNew ? t.create : t.save}
      </button>
    </div>
  );
}

interface FaultsProps extends Required<Pick<Props, 'labelOf'>> {
  readonly faults: readonly ErrorDetail[];
  readonly failure: unknown;
}

/** The reasons why a record was not stored. */
export function Faults({ faults, failure, labelOf }: FaultsProps) {
  const t = useCatalogue(editingTexts);
  const language = useLanguage();
  if (failure !== undefined) {
    return (
      <p className="notice failed" role="alert">
        {errorText(failure, language)}
      </p>
    );
  }
  if (faults.length === 0) return null;
  return (
    <div className="notice failed" role="alert">
      <p>{t.fixErrors}</p>
      <ul>
        {faults.map((fault) => (
          <li key={`${fault.path} ${fault.code}`}>
            <b dir="auto">{labelOf(fault.path)}</b>: {faultText(fault, language)}
          </li>
        ))}
      </ul>
    </div>
  );
}
