import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { type HeldDeletion, heldKey } from '../data/held.ts';
import { useRefresh } from '../data/records.ts';
import { editingTexts } from '../editing/texts.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { useFailureToast, useToast } from '../ui/toasts.tsx';
import { UndoButton } from './undo-button.tsx';

/** The number of records at once, as many as a closing page may still send. */
export const heldMax = 500;

/** Longer while the pointer or the focus is in the toast. */
const shownMilliseconds = 10_000;

type Held = HeldDeletion & { readonly ended: Promise<boolean> };

/**
 * Deletes what nothing can bring back: `Undo` cancels the request, which is sent when its toast ends. Lists hide the
 * records at once, and show them again after an `Undo` or a refusal.
 */
export function useHold(kind: string) {
  const t = useCatalogue(editingTexts);
  const toast = useToast();
  const refresh = useRefresh();
  const { mutate } = useMutation({
    mutationKey: heldKey(kind),
    mutationFn: ({ ended }: Held) => ended,
    onSuccess: (isSent) => (isSent ? refresh(kind) : undefined),
    onError: useFailureToast(),
  });
  /**
   * @param name what is deleted, for the toast
   * @param remove sends the request, which outlives the page
   */
  return (
    name: string,
    ids: readonly string[],
    remove: (options: { readonly keepalive: true }) => Promise<unknown>,
  ) => {
    let end: (isSent: boolean | Promise<boolean>) => void = () => undefined;
    const ended = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    let isOver = false;
    const send = () => {
      if (!isOver) {
        isOver = true;
        end(remove({ keepalive: true }).then(() => true));
        close();
      }
      return ended.catch(() => undefined);
    };
    const cancel = async () => {
      isOver = true;
      end(false);
      return undefined;
    };
    mutate({ ids, send, ended });
    const action = <HeldButton cancel={cancel} send={send} />;
    const close = toast({ text: fill(t.deleting, { name }), action });
  };
}

interface Props {
  readonly cancel: () => Promise<undefined>;
  readonly send: () => unknown;
}

/** Sends the request when it goes: with its toast, its screen or its page. */
function HeldButton({ cancel, send }: Props) {
  const [path] = useLocation();
  const first = useRef(path);
  const place = useRef<HTMLSpanElement>(null);
  // Those of another render do the same.
  const end = useRef(send).current;
  useEffect(() => {
    addEventListener('pagehide', end);
    const timer = setInterval(() => {
      if (!place.current?.closest('.toast')?.matches(':hover, :focus-within')) end();
    }, shownMilliseconds);
    return () => {
      removeEventListener('pagehide', end);
      clearInterval(timer);
      end();
    };
  }, [end]);
  useEffect(() => {
    if (path !== first.current) end();
  }, [path, end]);
  return (
    <span ref={place}>
      <UndoButton undo={cancel} />
    </span>
  );
}
