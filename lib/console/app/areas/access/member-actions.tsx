import { memberCalls } from '../../data/access-calls.ts';
import type { RecordEditor } from '../../editing/use-record-editor.ts';
import { usePatch } from '../../history/use-patch.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
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
}

/** Invites, deactivates or activates a member. The actions take effect immediately. */
export function MemberActions({ member: { id, name, email, isActive }, editor }: Props) {
  const t = useCatalogue(accessTexts);
  const confirm = useConfirm();
  const invite = useInvite();
  const { mutate, isPending } = usePatch('members', memberCalls);
  const change = (active: boolean) =>
    mutate({
      id,
      patch: { active },
      former: { active: !active },
      text: fill(active ? t.nowActive : t.nowInactive, { name }),
    });
  const deactivate = async () => {
    const title = fill(t.deactivateTitle, { name });
    const question = { title, text: t.deactivateText, action: t.deactivate, isDangerous: true };
    if (await confirm(question)) change(false);
  };
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = isPending || editor.isDirty;
  if (!isActive) {
    return (
      <button type="button" className="button" disabled={isBusy} onClick={() => change(true)}>
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
