import { textIn } from '../../data/localized.ts';
import { useLocalized, useProfile } from '../../data/session-context.tsx';
import { useEditor, useField } from '../../editing/editor-context.tsx';
import { CheckInput, SelectInput, TextInput } from '../../editing/fields.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { OptionsInput } from '../../editing/options-input.tsx';
import { TypeInput } from '../../editing/type-input.tsx';
import { useSuggested } from '../../editing/use-suggested.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { canBeLocalized, hasOptions, unusedFieldKey, withType } from './database-model.ts';
import { typeNames } from './field-types.ts';
import { useDatabases } from './records.ts';
import { contentTexts } from './texts.ts';
import type { DraftField } from './types.ts';

interface Props {
  /** Such as `fields.2`. */
  readonly path: string;
  readonly field: DraftField;
  /** Entries store values under the key, so it cannot change. */
  readonly isKeyFixed: boolean;
  readonly remove: () => void;
}

/** The settings of one field of a database. */
export function FieldForm({ path, field, isKeyFixed, remove }: Props) {
  const t = useCatalogue(contentTexts);
  const { value } = useEditor();
  const others = (value['fields'] as readonly DraftField[]).filter((other) => other !== field).map(({ key }) => key);
  const name = textIn(field.name, [useProfile().workspace.defaultLanguage]);
  useSuggested(`${path}.key`, name, (text) => unusedFieldKey(text, others), !isKeyFixed);
  return (
    <div className="stack">
      <LocalizedInput path={`${path}.name`} label={t.fieldName} />
      <div className="form-grid">
        <TypeInput path={path} label={t.fieldType} field={field} names={typeNames(t)} withType={withType} />
        {isKeyFixed ? (
          <p className="hint">
            {t.fieldKey}: <code dir="ltr">{field.key}</code>
          </p>
        ) : (
          <TextInput path={`${path}.key`} label={t.fieldKey} hint={t.fieldKeyHint} direction="ltr" />
        )}
        {field.type === 'relation' && <RelationTarget path={path} />}
      </div>
      {hasOptions(field.type) && <OptionsInput path={`${path}.options`} label={t.options} />}
      <div className="row">
        {canBeLocalized(field.type) && <CheckInput path={`${path}.localized`} label={t.localized} />}
        {field.type === 'media' && <CheckInput path={`${path}.many`} label={t.manyImages} />}
        {field.type === 'relation' && <CheckInput path={`${path}.relation.many`} label={t.relationMany} />}
        <CheckInput path={`${path}.required`} label={t.required} />
        <CheckInput path={`${path}.hidden`} label={t.hidden} />
        <Unindexed path={path} />
      </div>
      {field.hidden && <p className="hint">{t.hiddenHint}</p>}
      <div className="actions">
        <button type="button" className="button quiet warns" onClick={remove}>
          {t.removeField}
        </button>
      </div>
    </div>
  );
}

function RelationTarget({ path }: Pick<Props, 'path'>) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const { data: databases = [] } = useDatabases();
  const options = databases.map(({ id, name }) => ({ value: `cms:${id}`, label: localized(name) || id }));
  return (
    <SelectInput
      path={`${path}.relation.to`}
      label={t.relationTo}
      options={[{ value: 'menu:product', label: t.products }, ...options]}
    />
  );
}

/** `indexed` is stored only where it is false. */
function Unindexed({ path }: Pick<Props, 'path'>) {
  const t = useCatalogue(contentTexts);
  const { value, set } = useField(`${path}.indexed`);
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={value === false}
        onChange={({ target }) => set(target.checked ? false : undefined)}
      />
      <span>{t.unindexed}</span>
    </label>
  );
}
