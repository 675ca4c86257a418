import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  answerMembership,
  endSession,
  type Membership,
  membershipsQuery,
  profileQuery,
  switchWorkspace,
} from '../data/session.ts';
import { fill } from '../texts/catalogue.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { BrandMark } from '../ui/icons.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { useFailureToast } from '../ui/toasts.tsx';

/** The workspaces of a person who has to accept a membership, or to choose where to start. */
export function Workspaces() {
  const t = useTexts();
  const queries = useQueryClient();
  const onError = useFailureToast();
  const { data, error, refetch } = useQuery(membershipsQuery);
  useEffect(() => {
    document.title = t.workspacesTitle;
  }, [t]);
  const answer = useMutation({
    mutationFn: answerMembership,
    onSuccess: () => queries.invalidateQueries({ queryKey: membershipsQuery.queryKey }),
    onError,
  });
  const open = useMutation({
    mutationFn: switchWorkspace,
    onSuccess: (profile) => queries.setQueryData(profileQuery.queryKey, profile),
    onError,
  });
  const leave = useMutation({
    mutationFn: async () => window.location.assign(await endSession()),
    onError,
  });
  const isBusy = answer.isPending || open.isPending || leave.isPending;
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <BrandMark />
        <h1>{t.workspacesTitle}</h1>
        <p className="hint">{fill(t.workspacesHint, { email: data.email })}</p>
        {data.data.length === 0 && <p>{t.noWorkspaces}</p>}
        <ul className="workspaces">
          {data.data.map((membership) => (
            <Choice
              key={membership.workspaceId}
              membership={membership}
              isBusy={isBusy}
              answer={(accept) => answer.mutate({ workspaceId: membership.workspaceId, accept })}
              open={() => open.mutate(membership.workspaceId)}
            />
          ))}
        </ul>
        <button type="button" className="button quiet" disabled={isBusy} onClick={() => leave.mutate()}>
          {t.signOut}
        </button>
      </div>
    </main>
  );
}

interface ChoiceProps {
  readonly membership: Membership;
  readonly isBusy: boolean;
  readonly answer: (accept: boolean) => void;
  readonly open: () => void;
}

function Choice({ membership: { name, pending, invitedBy }, isBusy, answer, open }: ChoiceProps) {
  const t = useTexts();
  return (
    <li>
      <h2 dir="auto">{name}</h2>
      {pending && <p className="hint">{invitedBy === null ? t.invited : fill(t.invitedBy, { email: invitedBy })}</p>}
      <div className="workspace-actions">
        {pending ? (
          <>
            <button type="button" className="button primary" disabled={isBusy} onClick={() => answer(true)}>
              {fill(t.acceptMembership, { name })}
            </button>
            <button type="button" className="button quiet warns" disabled={isBusy} onClick={() => answer(false)}>
              {fill(t.declineMembership, { name })}
            </button>
          </>
        ) : (
          <button type="button" className="button primary" disabled={isBusy} onClick={open}>
            {fill(t.openWorkspace, { name })}
          </button>
        )}
      </div>
    </li>
  );
}
