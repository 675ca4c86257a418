import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { client } from '../data/client.ts';
import { sendHeld } from '../data/held.ts';
import { profileQuery } from '../data/session.ts';
import { useProfile } from '../data/session-context.tsx';
import { dropAllDrafts } from '../drafts/draft-store.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Options } from '../ui/options.tsx';
import { useFailureToast } from '../ui/toasts.tsx';
import { mayLeave, navigate } from './location.ts';

/** Few addresses have an international domain, so the first load does without its decoder. */
const Decoder = lazy(async () => {
  const { shownEmail } = await import('#lib/domain/text/shown-email.ts');
  return { default: ({ email }: { readonly email: string }) => shownEmail(email) };
});
const Decoded = ({ email }: { readonly email: string }) => (
  <Suspense fallback={email}>
    <Decoder email={email} />
  </Suspense>
);

/** The signed-in member, the workspace, and the sign-out button. */
export function Account() {
  const t = useTexts();
  const profile = useProfile();
  const queries = useQueryClient();
  const onError = useFailureToast();
  const change = useMutation({
    mutationFn: async (workspaceId: string) => {
      await sendHeld();
      return client.profile.switchTo(workspaceId);
    },
    onSuccess: (next) => {
      navigate('/overview', { isDone: true });
      // No data of the other workspace may stay on the screen or in a cache.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== profileQuery.queryKey[1] });
      queries.setQueryData(profileQuery.queryKey, next);
    },
    onError,
  });
  const leave = useMutation({
    mutationFn: async () => {
      await sendHeld();
      const address = await client.profile.signOut();
      await dropAllDrafts();
      sessionStorage.clear();
      window.location.assign(address);
    },
    onError,
  });
  // A sign-out during a switch would find an ended session, and the new session would stay.
  const isLeaving = change.isPending || leave.isPending;
  return (
    <div className="account">
      {profile.workspaces.length > 1 && (
        <label className="field">
          <span className="label">{t.workspace}</span>
          <select
            disabled={isLeaving}
            value={profile.workspace.id}
            onChange={({ target: { value } }) => void mayLeave().then((isFree) => isFree && change.mutate(value))}
          >
            <Options of={profile.workspaces.map(({ id, name }) => ({ value: id, label: name }))} />
          </select>
        </label>
      )}
      <p className="account-name">
        <span dir="auto">{profile.name}</span>
        <small dir="ltr">{profile.email.includes('xn--') ? <Decoded email={profile.email} /> : profile.email}</small>
      </p>
      <button type="button" className="button quiet" disabled={isLeaving} onClick={() => leave.mutate()}>
        {t.signOut}
      </button>
    </div>
  );
}
