import type { ReactNode } from 'react';
import type { AnsweredFile } from '#lib/domain/forms/form-response.ts';
import type { FormField } from '#lib/domain/forms/form-view.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { shownValue } from '../../editing/shown-value.ts';
import { editingTexts } from '../../editing/texts.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useShownTime } from '../../texts/use-texts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { answerText, otherAnswers } from './answer-text.ts';
import { formsTexts } from './texts.ts';
import type { ShownResponse } from './types.ts';
import { useDeleteResponses } from './use-delete-responses.ts';

interface Props {
  readonly fields: readonly FormField[];
  readonly response: ShownResponse;
  readonly close: () => void;
}

/** A complete response with its files. */
export function ResponseDialog({ fields, response, close }: Props) {
  const t = useCatalogue(formsTexts);
  const shared = useCatalogue(editingTexts);
  const localized = useLocalized();
  const locale = useFormatLocale();
  const words = { localized, locale, yes: shared.yes, no: shared.no };
  const others = otherAnswers(fields, response);
  const meta = Object.entries(response.meta);
  const time = new Date(response.createdAt).toLocaleString(locale, { dateStyle: 'full', timeStyle: 'short' });
  return (
    <Dialog title={t.response} isOpen close={close} isWide>
      <p className="hint">{time}</p>
      <dl className="forms-response">
        {fields.map((field) => (
          <Line key={field.ref} name={localized(field.title) || field.ref}>
            {response.files[field.ref] ? (
              <Files files={response.files[field.ref] ?? []} />
            ) : (
              answerText(field, response, words) || <span className="hint">{shared.none}</span>
            )}
          </Line>
        ))}
      </dl>
      {others.length > 0 && <ResponseSection title={t.otherAnswers} entries={others} />}
      {meta.length > 0 && <ResponseSection title={t.sentWith} entries={meta} />}
      <Actions response={response} close={close} />
    </Dialog>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt dir="auto">{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function ResponseSection({
  title,
  entries,
}: {
  readonly title: string;
  readonly entries: readonly (readonly [string, unknown])[];
}) {
  const shared = useCatalogue(editingTexts);
  return (
    <section className="stack">
      <h3>{title}</h3>
      <dl className="forms-response">
        {entries.map(([name, value]) => (
          <Line key={name} name={name}>
            {shownValue(value, shared)}
          </Line>
        ))}
      </dl>
    </section>
  );
}

function Files({ files }: { readonly files: readonly AnsweredFile[] }) {
  const t = useCatalogue(formsTexts);
  return (
    <ul>
      {files.map(({ id, name, url }) => (
        <li key={id}>
          {name === null ? (
            fill(t.deletedFile, { id })
          ) : url !== null && /^https?:\/\//.test(url) ? (
            <a href={url} target="_blank" rel="noreferrer noopener">
              {name}
            </a>
          ) : (
            name
          )}
        </li>
      ))}
    </ul>
  );
}

function Actions({ response, close }: Pick<Props, 'response' | 'close'>) {
  const t = useCatalogue(formsTexts);
  const shared = useCatalogue(editingTexts);
  const mayDelete = useMay('forms:response:delete');
  const remove = useDeleteResponses();
  const time = useShownTime()(response.createdAt);
  return (
    <div className="actions">
      {mayDelete && (
        <button
          type="button"
          className="button quiet warns"
          onClick={() => void remove([response.id], fill(t.responseOf, { time }), close)}
        >
          {shared.delete}
        </button>
      )}
      <button type="button" className="button primary" onClick={close}>
        {shared.close}
      </button>
    </div>
  );
}
