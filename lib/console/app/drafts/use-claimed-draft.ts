import { useEffect, useRef, useState } from 'react';
import { type Claim, claimDraft, claimKey, claimNew } from './claimed-draft.ts';
import type { Draft } from './draft-store.ts';
import { useDraftKey } from './use-draft.ts';

/** The storage key of a form's draft, claimed while the form is open. Undefined until it is claimed. */
export function useClaimedDraft(screen: string) {
  const key = useDraftKey(screen);
  const [claim, setClaim] = useState<Claim>();
  const held = useRef<Claim>(undefined);
  useEffect(() => {
    let isOpen = true;
    void claimDraft(key).then((claimed) => {
      if (!isOpen) return claimed.release();
      held.current = claimed;
      setClaim(claimed);
    });
    return () => {
      isOpen = false;
      held.current?.release();
      held.current = undefined;
    };
  }, [key]);
  /**
   * Continues with another draft of the screen, unless another form holds it.
   * @param unsent the form's own changes, which stay stored; undefined without changes
   * @param onTaken called with the other draft
   */
  const take = async (other: string, unsent: unknown, onTaken: (draft: Draft) => void): Promise<void> => {
    const claimed = await claimKey(key, other);
    const before = held.current;
    if (!claimed?.draft || !before) {
      claimed?.release();
      setClaim((now) => now && { ...now, others: now.others.filter((draft) => draft.key !== other) });
      return;
    }
    before.release();
    held.current = claimed;
    const left = unsent === undefined ? [] : [{ key: before.key, savedAt: Date.now(), value: unsent }];
    setClaim({ ...claimed, others: [...left, ...claimed.others.filter((draft) => draft.key !== before.key)] });
    onTaken(claimed.draft);
  };
  /** Continues under a new key; the draft that was claimed is offered with the others. */
  const begin = (): void => {
    if (!claim?.draft || !held.current) return;
    held.current.release();
    held.current = claimNew(key, [claim.draft, ...claim.others]);
    setClaim(held.current);
  };
  return { claim, take, begin };
}
