import { useMemo } from 'react';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useRefresh } from '../../data/records.ts';
import { useLocalized, useProfile } from '../../data/session-context.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useTexts } from '../../texts/use-texts.tsx';
import { Loading } from '../../ui/states.tsx';
import { blankValues, titleFieldOf } from './database-model.ts';
import { entryLabel } from './entry-label.ts';
import { entryCalls, entryKind, useDatabase } from './records.ts';
import { contentTexts } from './texts.ts';
import { ValueInput } from './value-input.tsx';

interface Props {
  readonly modelId: string;
  readonly created: (id: string) => void;
  readonly cancel: () => void;
  /** Called when the entry is gone again. */
  readonly undone: (id: string) => void;
}

/** A new entry in a dialog: its title and required fields. The other fields can be filled in on its own screen. */
export function NewTarget({ modelId, ...props }: Props) {
  const { model } = useDatabase(modelId);
  return model ? <NewTargetForm model={model} {...props} /> : <Loading />;
}

function NewTargetForm({ model, created, cancel, undone }: Omit<Props, 'modelId'> & { readonly model: Model }) {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const localized = useLocalized();
  const refresh = useRefresh();
  const { languages } = useProfile().workspace;
  const locale = useFormatLocale();
  const calls = useMemo(() => entryCalls(model.id), [model.id]);
  const blank = useMemo(() => ({ published: true, values: blankValues(model.fields) }), [model.fields]);
  // A separate kind, so that its drafts differ from those of the screen for new entries.
  const editor = useRecordEditor({ kind: `${entryKind(model.id)}/in-place`, calls, blank });
  const title = titleFieldOf(model.fields);
  const fields = model.fields.filter((field) => field === title || field.required);
  return (
    <EditorForm
      editor={editor}
      title={fill(t.newIn, { name: localized(model.name) || model.id })}
      labelOf={entryLabel(model.fields, (text) => localized(text), languages, locale, t)}
      onSaved={(id) => {
        void refresh(entryKind(model.id));
        created(id);
      }}
      onUndone={(id) => {
        undone(id);
        void refresh(entryKind(model.id));
      }}
      actions={
        <button
          type="button"
          className="button"
          onClick={() => {
            editor.discard();
            cancel();
          }}
        >
          {shared.cancel}
        </button>
      }
    >
      <div className="stack">
        {fields.map((field) => (
          <ValueInput key={field.key} field={field} />
        ))}
      </div>
    </EditorForm>
  );
}
