import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { profileQuery, updateProfile } from '../../data/session.ts';
import { useProfile } from '../../data/session-context.tsx';
import { useLeaveGuard } from '../../editing/use-leave-guard.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { settingsTexts } from './texts.ts';

/** Name and language of the signed-in member. */
export function ProfileForm() {
  const t = useCatalogue(settingsTexts);
  const shared = useTexts();
  const profile = useProfile();
  const queries = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(profile.name);
  const [language, setLanguage] = useState<'en' | 'ar' | null>(profile.language);
  useLeaveGuard(name !== profile.name || language !== profile.language, () => {
    setName(profile.name);
    setLanguage(profile.language);
  });
  const save = useMutation({
    mutationFn: () => updateProfile({ name, language }),
    onSuccess: (next) => {
      queries.setQueryData(profileQuery.queryKey, next);
      toast({ text: shared.saved });
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
      <div className="form-grid">
        <Field label={t.yourName}>
          {(attributes) => (
            <input
              {...attributes}
              dir="auto"
              autoComplete="name"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field label={t.email}>
          {(attributes) => <input {...attributes} dir="ltr" readOnly value={profile.email} />}
        </Field>
        <Field label={t.language}>
          {(attributes) => (
            <select
              {...attributes}
              value={language ?? ''}
              onChange={({ target }) => setLanguage(target.value === '' ? null : (target.value as 'en' | 'ar'))}
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
