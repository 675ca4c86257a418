import { useMemo } from 'react';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useLocalized, useMay, useProfile } from '../../data/session-context.tsx';
import { DeleteButton } from '../../editing/delete-button.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { type RecordEditor, useRecordEditor } from '../../editing/use-record-editor.ts';
import { leaveRecord, useUndo } from '../../history/use-undo.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { ScheduledTag, ScheduleInputs } from '../../schedule/schedule.tsx';
import { navigate } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useLanguage } from '../../texts/use-texts.tsx';
import { Failure, Loading, Nothing } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { blankValues, missingTranslations, titleOf } from './database-model.ts';
import { entryLabel } from './entry-label.ts';
import { contentPaths } from './paths.ts';
import { entryCalls, entryKind, useDatabase } from './records.ts';
import { contentTexts } from './texts.ts';
import type { Entry } from './types.ts';
import { ValueInput } from './value-input.tsx';

interface Props {
  readonly modelId: string;
  /** Absent for a new entry. */
  readonly id?: string;
}

/** The form of one entry, with an input for each field of its database. */
export function EntryScreen({ modelId, id }: Props) {
  const { model, error, reload, isMissing } = useDatabase(modelId);
  if (error) return <Failure error={error} retry={reload} />;
  if (isMissing) return <Nothing />;
  return model ? <EntryForm model={model} id={id} /> : <Loading />;
}

function EntryForm({ model, id }: { readonly model: Model; readonly id: string | undefined }) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const { languages, defaultLanguage } = useProfile().workspace;
  const language = useLanguage();
  const locale = useFormatLocale();
  const calls = useMemo(() => entryCalls(model.id), [model.id]);
  const blank = useMemo(() => ({ published: false, values: blankValues(model.fields) }), [model.fields]);
  const editor = useRecordEditor({ kind: entryKind(model.id), calls, id, blank });
  const entry = { id: '', ...editor.value } as unknown as Entry;
  const modelName = localized(model.name) || model.id;
  const name = titleOf(model.fields, entry, [language, defaultLanguage]) || fill(t.newIn, { name: modelName });
  return (
    <EditorForm
      editor={editor}
      title={name}
      back={{ to: contentPaths.entries(model.id), text: modelName }}
      labelOf={entryLabel(model.fields, (text) => localized(text), languages, locale, t)}
      onSaved={(stored) =>
        id === undefined && navigate(contentPaths.entry(model.id, stored), { replace: true, isDone: true })
      }
      actions={<EntryActions editor={editor} modelId={model.id} name={name} />}
    >
      <p className="row">
        <span className={`tag ${entry.published ? 'good' : 'warns'}`}>{entry.published ? t.published : t.draft}</span>
        <ScheduledTag of={entry} />
        <MissingTranslations model={model} values={entry.values} />
      </p>
      <section className="card stack" aria-label={t.publishing}>
        <ScheduleInputs />
      </section>
      <section className="card content-values">
        {model.fields.map((field) => (
          <ValueInput key={field.key} field={field} />
        ))}
      </section>
    </EditorForm>
  );
}

/** The missing texts by language. */
function MissingTranslations({ model, values }: { readonly model: Model } & Pick<Entry, 'values'>) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const languageName = useLanguageName();
  const missing = missingTranslations(model.fields, values, useProfile().workspace.languages);
  return missing.map((entry) => (
    <span key={entry.language} className="tag warns" title={entry.fields.map(({ name }) => localized(name)).join(', ')}>
      {fill(t.missingIn, { language: languageName(entry.language), count: entry.fields.length })}
    </span>
  ));
}

interface ActionsProps {
  readonly editor: RecordEditor;
  readonly modelId: string;
  readonly name: string;
}

/** Publishing also saves the changes. */
function EntryActions({ editor, modelId, name }: ActionsProps) {
  const t = useCatalogue(contentTexts);
  const toast = useToast();
  const undo = useUndo();
  const mayDelete = useMay('cms:entry:delete');
  const { id, published } = editor.value as { readonly id?: string; readonly published?: boolean };
  const publish = async () => {
    const saved = await editor.save({ published: !published });
    if (!saved) return;
    const leave = () => leaveRecord(saved.record.id, contentPaths.entries(modelId));
    toast({ text: published ? t.unpublishedNow : t.publishedNow, action: undo.ofSave(editor, saved, leave) });
    if (editor.isNew) navigate(contentPaths.entry(modelId, saved.record.id), { replace: true, isDone: true });
  };
  return (
    <>
      {!editor.isNew && mayDelete && (
        <DeleteButton
          kind={entryKind(modelId)}
          calls={entryCalls(modelId)}
          id={id ?? ''}
          back={contentPaths.entries(modelId)}
          name={name}
          editor={editor}
        />
      )}
      <button type="button" className="button" disabled={editor.isSaving} onClick={() => void publish()}>
        {published ? t.unpublish : editor.isDirty || editor.isNew ? t.saveAndPublish : t.publish}
      </button>
    </>
  );
}
