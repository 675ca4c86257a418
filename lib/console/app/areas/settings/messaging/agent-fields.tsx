import { useRef } from 'react';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { client } from '../../../data/client.ts';
import { useAllRecords } from '../../../data/records.ts';
import { useLocalized, useMay } from '../../../data/session-context.tsx';
import { useField } from '../../../editing/editor-context.tsx';
import { CheckInput, NumberInput, TextInput } from '../../../editing/fields.tsx';
import { LanguageInput } from '../../../languages/language-button.tsx';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { CheckOptions, withChosen } from '../../../ui/check-options.tsx';
import { messagingTexts } from './texts.ts';

const tools = ['search_menu', 'get_product', 'list_categories', 'search_cms', 'get_form', 'hand_over'] as const;

/** The fields of an agent: its instructions, tools and databases. */
export function AgentFields() {
  const t = useCatalogue(messagingTexts);
  const localized = useLocalized();
  const mayRead = useMay('cms:model:read');
  const { data: databases = [] } = useAllRecords<Model>('cms-models', client.manage.cmsModels, {}, mayRead);
  return (
    <>
      <CheckInput path="enabled" label={t.enabled} />
      <div className="form-grid">
        <TextInput path="name" label={t.name} />
        <TextInput path="model" label={t.model} hint={t.modelHint} direction="ltr" isOptional />
        <LanguageInput path="language" label={t.language} none={t.anyLanguage} />
        <NumberInput path="maxTokens" label={t.maxTokens} min={1} step={1} isOptional />
        <NumberInput path="temperature" label={t.temperature} hint={t.temperatureHint} min={0} isOptional />
      </div>
      <CheckInput path="reasoning" label={t.reasoning} />
      <TextInput path="instructions" label={t.instructions} isLong />
      <SubsetInput
        path="tools"
        label={t.tools}
        allLabel={t.allTools}
        options={tools.map((tool) => ({ value: tool, label: t[tool] }))}
      />
      <SubsetInput
        path="databases"
        label={t.databases}
        allLabel={t.allDatabases}
        options={databases.map(({ id, name }) => ({ value: id, label: localized(name) || id }))}
      />
    </>
  );
}

interface SubsetProps {
  readonly path: string;
  readonly label: string;
  readonly allLabel: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A choice of all items, stored as an absent list, or of some items. */
function SubsetInput({ path, label, allLabel, options }: SubsetProps) {
  const { value, set, error } = useField(path);
  const before = useRef<readonly string[]>([]);
  const chosen = Array.isArray(value) ? (value as readonly string[]) : undefined;
  const toggleAll = (isAll: boolean) => {
    if (chosen) before.current = chosen;
    set(isAll ? undefined : before.current);
  };
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <label className="check">
        <input type="checkbox" checked={chosen === undefined} onChange={({ target }) => toggleAll(target.checked)} />
        <span>{allLabel}</span>
      </label>
      {chosen && (
        <CheckOptions
          className="stack"
          options={withChosen(options, chosen)}
          chosen={chosen}
          hasError={error !== undefined}
          toggle={(value) =>
            set(chosen.includes(value) ? chosen.filter((choice) => choice !== value) : [...chosen, value])
          }
        />
      )}
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}
