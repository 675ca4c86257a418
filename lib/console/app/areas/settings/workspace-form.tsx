import { useId, useMemo } from 'react';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { workspaceCalls } from '../../data/workspace-calls.ts';
import { useField } from '../../editing/editor-context.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { SelectInput, TextInput } from '../../editing/fields.tsx';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { LanguagesInput } from '../../languages/languages-input.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { type Option, Options } from '../../ui/options.tsx';
import { listedCurrencies } from './currencies.ts';
import { settingsTexts } from './texts.ts';

/** Name, languages, currency and time zone of the workspace. */
export function WorkspaceForm() {
  const t = useCatalogue(settingsTexts);
  const { id } = useProfile().workspace;
  const mayChange = useMay('workspace:settings:update');
  const editor = useRecordEditor({ kind: 'workspace', calls: workspaceCalls, id });
  const names: Readonly<Record<string, string>> = {
    name: t.name,
    languages: t.languages,
    defaultLanguage: t.defaultLanguage,
    currency: t.currency,
    timeZone: t.timeZone,
  };
  return (
    <EditorForm
      editor={editor}
      title={t.workspace}
      labelOf={(path) => names[path.split('.')[0] ?? ''] ?? path}
      isReadOnly={!mayChange}
      isPart
    >
      <fieldset className="card stack" disabled={!mayChange}>
        {!mayChange && <p className="notice">{t.readOnly}</p>}
        <div className="form-grid">
          <TextInput path="name" label={t.name} />
          <CurrencyInput />
          <DefaultLanguage />
          <TimeZoneInput />
        </div>
        <LanguagesInput path="languages" label={t.languages} hint={t.languagesHint} addLabel={t.addLanguage} />
      </fieldset>
    </EditorForm>
  );
}

/** The currency of the prices. */
function CurrencyInput() {
  const t = useCatalogue(settingsTexts);
  const locale = useFormatLocale();
  const { value } = useField('currency');
  const currencies = useMemo(() => listedCurrencies(locale), [locale]);
  return (
    <TypedChoice
      path="currency"
      label={t.currency}
      hint={currencies.find(({ code }) => code === value)?.name ?? t.currencyHint}
      options={currencies.map(({ code, name }) => ({ value: code, label: name }))}
      read={(text) => (text === '' ? null : text.toUpperCase())}
    />
  );
}

function DefaultLanguage() {
  const t = useCatalogue(settingsTexts);
  const { value } = useField('languages');
  const languageName = useLanguageName();
  const codes = Array.isArray(value) ? (value as readonly string[]) : [];
  const options = [...new Set(codes)].map((code) => ({ value: code, label: languageName(code) }));
  return <SelectInput path="defaultLanguage" label={t.defaultLanguage} options={options} />;
}

function TimeZoneInput() {
  const t = useCatalogue(settingsTexts);
  const names = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return (
    <TypedChoice
      path="timeZone"
      label={t.timeZone}
      hint={t.timeZoneHint}
      options={[...new Set(names)].map((name) => ({ value: name, label: name }))}
      read={(text) => text}
    />
  );
}

interface TypedChoiceProps {
  readonly path: string;
  readonly label: string;
  readonly hint: string;
  readonly options: readonly Option[];
  readonly read: (text: string) => string | null;
}

/** Members type a value, or choose one that the browser knows. */
function TypedChoice({ path, label, hint, options, read }: TypedChoiceProps) {
  const list = useId();
  const { value, set, error } = useField(path);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            dir="ltr"
            list={list}
            autoComplete="off"
            value={typeof value === 'string' ? value : ''}
            onChange={({ target }) => set(read(target.value))}
          />
          <datalist id={list}>
            <Options of={options} />
          </datalist>
        </>
      )}
    </Field>
  );
}
