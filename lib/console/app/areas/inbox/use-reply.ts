import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../../data/client.ts';
import { errorText } from '../../data/error-text.ts';
import { noticeEndOfSession } from '../../data/query-client.ts';
import { useDraftText } from '../../drafts/use-draft-text.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useLanguage } from '../../texts/use-texts.tsx';
import { useFailureToast } from '../../ui/toasts.tsx';
import { portionsOf } from './files.ts';
import { canBeSent, type ReplyDraft, readDraft, withAttempt, writtenDraft } from './reply-draft.ts';
import { inboxTexts } from './texts.ts';

/**
 * The unsent reply to a conversation. The browser stores it until it is sent.
 * @param onSent called when the service has stored it
 */
export function useReply(conversationId: string, onSent: () => unknown) {
  const t = useCatalogue(inboxTexts);
  const language = useLanguage();
  const { text: kept, keep, ...elsewhere } = useDraftText(`inbox/${conversationId}`);
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  // An upload may end after later renders.
  const latest = useRef('');
  latest.current = kept;
  const draft = readDraft(kept);
  const change = (next: ReplyDraft) => {
    latest.current = writtenDraft(next);
    keep(latest.current);
  };

  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const portion of portionsOf(files)) {
        const uploads = portion.map((file) => ({ name: file.name, type: file.type, data: file }));
        const stored = await client.uploadAttachments(uploads);
        const now = readDraft(latest.current);
        change({ ...now, files: [...now.files, ...stored.map(({ id, name, type }) => ({ id, name, type }))] });
      }
    },
    onError: useFailureToast(),
  });

  const send = async () => {
    if (isSending || upload.isPending || !canBeSent(draft)) return;
    setSending(true);
    setFailure(undefined);
    const tried = withAttempt(draft, () => crypto.randomUUID());
    change(tried);
    try {
      const message = { senderType: 'member', text: tried.text, attachments: tried.files.map(({ id }) => id) } as const;
      await client.conversations.send(conversationId, message, { idempotencyKey: tried.attempt.key });
      latest.current = '';
      keep('');
      await onSent();
    } catch (error) {
      noticeEndOfSession(error as Error);
      setFailure(fill(t.sendFailed, { reason: errorText(error, language) }));
    } finally {
      setSending(false);
    }
  };

  return {
    draft,
    ...elsewhere,
    failure,
    isSending,
    isUploading: upload.isPending,
    canSend: !isSending && !upload.isPending && canBeSent(draft),
    send,
    write: (text: string) => change({ ...readDraft(latest.current), text }),
    attach: (files: readonly File[]) => {
      if (files.length > 0 && !isSending) upload.mutate(files);
    },
    detach: (id: string) => change({ ...draft, files: draft.files.filter((file) => file.id !== id) }),
  };
}
