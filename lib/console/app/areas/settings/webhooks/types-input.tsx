import { kindLabels } from '#lib/kinds/kind-labels.ts';
import { useField } from '../../../editing/editor-context.tsx';
import { useCatalogue, useLanguage } from '../../../texts/use-texts.tsx';
import { webhookTexts } from './texts.ts';
import { actionOf, hasType, type TypeGroup, toggledType, typeGroups } from './types.ts';

/** The types of events that a webhook gets, by kind. */
export function TypesInput() {
  const t = useCatalogue(webhookTexts);
  const language = useLanguage();
  const { value, set, error } = useField('types');
  const chosen = (Array.isArray(value) ? value : []) as readonly string[];
  const own: Readonly<Record<string, string>> = t;
  const toggle = (type: string) => set(toggledType(chosen, type));
  return (
    <section className="card stack" aria-label={t.types}>
      <h2>{t.types}</h2>
      {error === undefined ? <p className="hint">{t.typesHint}</p> : <p className="error">{error}</p>}
      <div className="form-grid">
        {typeGroups.map((group) => (
          <Group
            key={group.kind}
            group={group}
            label={kindLabels[group.kind]?.[language] ?? own[group.kind] ?? group.kind}
            chosen={chosen}
            hasError={error !== undefined}
            toggle={toggle}
          />
        ))}
      </div>
    </section>
  );
}

interface Props {
  readonly group: TypeGroup;
  readonly label: string;
  readonly chosen: readonly string[];
  readonly hasError: boolean;
  readonly toggle: (type: string) => void;
}

function Group({ group: { all, types }, label, chosen, hasError, toggle }: Props) {
  const t = useCatalogue(webhookTexts);
  const actions: Readonly<Record<string, string>> = t;
  const hasAll = chosen.includes(all);
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {[all, ...types].map((type) => (
        <label key={type} className="check">
          <input
            type="checkbox"
            checked={hasType(chosen, type)}
            disabled={hasAll && type !== all}
            aria-invalid={hasError ? true : undefined}
            onChange={() => toggle(type)}
          />
          <span>{type === all ? t.all : (actions[actionOf(type)] ?? type)}</span>
        </label>
      ))}
    </fieldset>
  );
}
