import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { titleFieldOf } from './database-model.ts';
import { shownColumns } from './entry-columns.ts';
import { contentTexts } from './texts.ts';

interface Props {
  readonly model: Model;
  /** Comma-separated field keys; null for the default columns. */
  readonly chosen: string | null;
  readonly choose: (keys: string) => void;
}

/** Chooses the fields that the table shows beside the title. */
export function ColumnChooser({ model, chosen, choose }: Props) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const shown = shownColumns(model, chosen).map(({ key }) => key);
  const title = titleFieldOf(model.fields);
  return (
    <details className="content-columns">
      <summary className="button">{t.columns}</summary>
      <fieldset className="card">
        <legend className="visually-hidden">{t.columns}</legend>
        {model.fields
          .filter((field) => field !== title)
          .map(({ key, name }) => (
            <label key={key} className="check">
              <input
                type="checkbox"
                checked={shown.includes(key)}
                onChange={({ target }) =>
                  choose(
                    (target.checked ? [...shown, key] : shown.filter((column) => column !== key)).join() || noColumns,
                  )
                }
              />
              <span dir="auto">{localized(name) || key}</span>
            </label>
          ))}
      </fieldset>
    </details>
  );
}

/** An empty list would mean the default columns. */
const noColumns = '-';
