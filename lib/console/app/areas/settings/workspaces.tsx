import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Memberships } from '#lib/client/types.ts';
import { client } from '../../data/client.ts';
import { profileQuery } from '../../data/session.ts';
import { catalogue, fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { useFailureToast } from '../../ui/toasts.tsx';

type Membership = Memberships['data'][number];

const membershipsQuery = queryOptions({ queryKey: ['memberships'], queryFn: client.profile.memberships });

const workspacesTexts = catalogue(
  {
    workspacesTitle: 'Your workspaces',
    workspacesHint: 'You are signed in as {email}.',
    noWorkspaces: 'You are a member of no workspace.',
    invited: 'You are invited to this workspace.',
    invitedBy: 'Invited by {email}.',
    acceptMembership: 'Accept {name}',
    declineMembership: 'Decline {name}',
    decline: 'Decline',
    declineTitle: 'Decline {name}?',
    declineText: 'This is final. To join later, you need another invitation.',
    openWorkspace: 'Open {name}',
  },
  {
    workspacesTitle: 'مساحات العمل',
    workspacesHint: 'سجّلت الدخول بالبريد {email}.',
    noWorkspaces: 'لست عضوًا في أي مساحة عمل.',
    invited: 'أنت مدعو إلى مساحة العمل هذه.',
    invitedBy: 'دعاك {email}.',
    acceptMembership: 'قبول {name}',
    declineMembership: 'رفض {name}',
    decline: 'رفض',
    declineTitle: 'رفض {name}؟',
    declineText: 'هذا القرار نهائي. للانضمام لاحقًا تحتاج إلى دعوة أخرى.',
    openWorkspace: 'فتح {name}',
  },
);

/** The workspaces of a person who has to accept a membership, or to choose where to start. */
export function WorkspaceChoice() {
  const t = useCatalogue(workspacesTexts);
  const { signOut } = useTexts();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const onError = useFailureToast();
  const { data, error, refetch } = useQuery(membershipsQuery);
  useEffect(() => {
    document.title = t.workspacesTitle;
  }, [t]);
  const answer = useMutation({
    mutationFn: ({ workspaceId, accept }: { workspaceId: string; accept: boolean }) =>
      client.profile.answer(workspaceId, accept),
    onSuccess: () => queries.invalidateQueries({ queryKey: membershipsQuery.queryKey }),
    onError,
  });
  const open = useMutation({
    mutationFn: client.profile.switchTo,
    onSuccess: (profile) => queries.setQueryData(profileQuery.queryKey, profile),
    onError,
  });
  const leave = useMutation({
    mutationFn: async () => window.location.assign(await client.profile.signOut()),
    onError,
  });
  const decline = async ({ workspaceId, name }: Membership) => {
    const title = fill(t.declineTitle, { name });
    const question = { title, text: t.declineText, action: t.decline, isDangerous: true };
    if (await confirm(question)) answer.mutate({ workspaceId, accept: false });
  };
  const isBusy = answer.isPending || open.isPending || leave.isPending;
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>{t.workspacesTitle}</h1>
        <p className="hint">{fill(t.workspacesHint, { email: data.email })}</p>
        {data.data.length === 0 && <p>{t.noWorkspaces}</p>}
        <div className="stack">
          {data.data.map((membership) => (
            <Choice
              key={membership.workspaceId}
              membership={membership}
              isBusy={isBusy}
              accept={() => answer.mutate({ workspaceId: membership.workspaceId, accept: true })}
              decline={() => void decline(membership)}
              open={() => open.mutate(membership.workspaceId)}
            />
          ))}
        </div>
        <button type="button" className="button quiet" disabled={isBusy} onClick={() => leave.mutate()}>
          {signOut}
        </button>
      </div>
    </main>
  );
}

interface ChoiceProps {
  readonly membership: Membership;
  readonly isBusy: boolean;
  readonly accept: () => void;
  readonly decline: () => void;
  readonly open: () => void;
}

function Choice({ membership: { name, pending, invitedBy }, isBusy, accept, decline, open }: ChoiceProps) {
  const t = useCatalogue(workspacesTexts);
  return (
    <section className="stack">
      <h2 dir="auto">{name}</h2>
      {pending && <p className="hint">{invitedBy === null ? t.invited : fill(t.invitedBy, { email: invitedBy })}</p>}
      <div className="row">
        {pending ? (
          <>
            <button type="button" className="button primary" disabled={isBusy} onClick={accept}>
              {fill(t.acceptMembership, { name })}
            </button>
            <button type="button" className="button quiet warns" disabled={isBusy} onClick={decline}>
              {fill(t.declineMembership, { name })}
            </button>
          </>
        ) : (
          <button type="button" className="button primary" disabled={isBusy} onClick={open}>
            {fill(t.openWorkspace, { name })}
          </button>
        )}
      </div>
    </section>
  );
}
