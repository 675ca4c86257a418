import { useMutation } from '@tanstack/react-query';
import { client } from '../../data/client.ts';
import { useRefresh } from '../../data/records.ts';
import type { RecordEditor } from '../../editing/use-record-editor.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { accessTexts } from './texts.ts';
import { useInvite } from './use-invite.ts';

interface Props {
  readonly member: {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    readonly isActive: boolean;
  };
  readonly editor: RecordEditor;
  /** Called when an action has changed the member. */
  readonly onChanged: () => void;
}

/** Invites, deactivates or activates a member. The actions take effect immediately. */
export function MemberActions({ member: { id, name, email, isActive }, editor, onChanged }: Props) {
  const t = useCatalogue(accessTexts);
  const confirm = useConfirm();
  const toast = useToast();
  const refresh = useRefresh();
  const invite = useInvite();
  const change = useMutation({
    mutationFn: (active: boolean) => client.access.updateMember(id, { active }),
    onSuccess: async (_, active) => {
      toast({ text: fill(active ? t.nowActive : t.nowInactive, { name }) });
      await Promise.all([refresh('members'), refresh('api-keys')]);
      onChanged();
    },
    onError: useFailureToast(),
  });
  const deactivate = async () => {
    const title = fill(t.deactivateTitle, { name });
    const question = { title, text: t.deactivateText, action: t.deactivate, isDangerous: true };
    if (await confirm(question)) change.mutate(false);
  };
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = change.isPending || editor.isDirty;
  if (!isActive) {
    return (
      <button type="button" className="button" disabled={isBusy} onClick={() => change.mutate(true)}>
        {t.activate}
      </button>
    );
  }
  return (
    <>
      {email !== null && (
        <button
          type="button"
          className="button"
          disabled={isBusy || invite.isPending}
          onClick={() => invite.mutate({ id, email })}
        >
          {t.resendInvitation}
        </button>
      )}
      <button type="button" className="button quiet warns" disabled={isBusy} onClick={deactivate}>
        {t.deactivate}
      </button>
    </>
  );
}
