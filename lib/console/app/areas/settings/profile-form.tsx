import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { client } from '../../data/client.ts';
import { type Profile, profileQuery } from '../../data/session.ts';
import { useProfile } from '../../data/session-context.tsx';
import { OtherDrafts } from '../../drafts/other-drafts.tsx';
import { useDraftText } from '../../drafts/use-draft-text.ts';
import { isEqual } from '../../editing/paths.ts';
import { editingTexts } from '../../editing/texts.ts';
import { useLeaveGuard } from '../../editing/use-leave-guard.ts';
import { ChangedMeanwhile } from '../../history/undo.ts';
import { useUndo } from '../../history/use-undo.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { settingsTexts } from './texts.ts';

type Values = Pick<Profile, 'name' | 'language'>;

/** The route takes no `If-Match`, so what is stored is compared first. @throws ChangedMeanwhile */
async function setBack(saved: Values, before: Values): Promise<void> {
  const { name, language } = await client.profile.get();
  if (!isEqual({ name, language }, saved)) throw new ChangedMeanwhile();
  await client.profile.update(before);
}

/** Name and language of the signed-in member. */
export function ProfileForm() {
  const t = useCatalogue(settingsTexts);
  const shared = useCatalogue(editingTexts);
  const profile = useProfile();
  const queries = useQueryClient();
  const toast = useToast();
  const undo = useUndo();
  const stored: Values = { name: profile.name, language: profile.language };
  const { text: kept, keep, others, restore } = useDraftText('profile');
  const forget = () => keep('');
  const values = kept === '' ? stored : (JSON.parse(kept) as Values);
  const change = (changes: Partial<Values>) => {
    const next = { ...values, ...changes };
    if (isEqual(next, stored)) forget();
    else keep(JSON.stringify(next));
  };
  useLeaveGuard(kept !== '', forget);
  const save = useMutation({
    mutationFn: () => client.profile.update(values),
    onSuccess: (next) => {
      queries.setQueryData(profileQuery.queryKey, next);
      forget();
      const saved = { name: next.name, language: next.language };
      const action = isEqual(saved, stored) ? undefined : undo.of('workspace', () => setBack(saved, stored));
      toast({ text: shared.saved, action });
    },
    onError: useFailureToast(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label={t.you}>
      <h2>{t.you}</h2>
      <OtherDrafts others={others} restore={restore} />
      <div className="form-grid">
        <Field label={t.yourName}>
          {(attributes) => (
            <input
              {...attributes}
              dir="auto"
              autoComplete="name"
              value={values.name}
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <Field label={t.email}>
          {(attributes) => <input {...attributes} dir="ltr" readOnly value={shownEmail(profile.email)} />}
        </Field>
        <Field label={t.language}>
          {(attributes) => (
            <select
              {...attributes}
              value={values.language ?? ''}
              onChange={({ target }) =>
                change({ language: target.value === '' ? null : (target.value as Profile['language']) })
              }
            >
              <option value="">{t.asBrowser}</option>
              <option value="en" lang="en">
                English
              </option>
              <option value="ar" lang="ar">
                العربية
              </option>
            </select>
          )}
        </Field>
      </div>
      <div className="actions">
        <button type="submit" className="button primary" disabled={save.isPending}>
          {shared.save}
        </button>
      </div>
    </form>
  );
}
