import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { useRefresh } from '../../../data/records.ts';
import { useMay } from '../../../data/session-context.tsx';
import type { RecordEditor } from '../../../editing/use-record-editor.ts';
import { navigate } from '../../../shell/location.ts';
import { catalogue, fill } from '../../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../../texts/use-texts.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useFailureToast, useToast } from '../../../ui/toasts.tsx';

const eraseTexts = catalogue(
  {
    erase: 'Erase this person',
    title: 'Erase “{name}”?',
    text: 'This removes the customer with all conversations, messages and files, also those that your team has sent to this person alone. Nothing of it can be brought back.',
    responses: 'Also remove the form responses with the same e-mail address',
    confirm: 'Erase for ever',
    erased: 'The person is erased. Files follow within minutes.',
  },
  {
    erase: 'محو هذا الشخص',
    title: 'محو «{name}»؟',
    text: 'يزيل هذا العميل مع كل محادثاته ورسائله وملفاته، ومنها ما أرسله فريقك إليه وحده. لا يمكن استرجاع شيء من ذلك.',
    responses: 'إزالة ردود النماذج التي تحمل البريد الإلكتروني نفسه أيضًا',
    confirm: 'محو نهائي',
    erased: 'مُحيت بيانات الشخص، وتُزال الملفات خلال دقائق.',
  },
);

interface Props {
  readonly id: string;
  readonly name: string;
  readonly editor: RecordEditor;
}

/** Erases a customer with all that is theirs, after a confirmation. */
export function EraseButton({ id, name, editor }: Props) {
  const t = useCatalogue(eraseTexts);
  const { cancel } = useTexts();
  const toast = useToast();
  const refresh = useRefresh();
  const fail = useFailureToast();
  const mayRemoveResponses = useMay('forms:response:delete');
  const [isOpen, setOpen] = useState(false);
  const [responses, setResponses] = useState(false);
  const close = () => setOpen(false);
  const erase = useMutation({
    mutationFn: () => client.manage.customers.erase(id, { responses }),
    onSuccess: async () => {
      editor.discard();
      toast({ text: t.erased });
      navigate('/settings/customers', { isDone: true });
      await refresh('customers');
    },
    onError: (error) => {
      close();
      fail(error);
    },
  });
  return (
    <>
      <button type="button" className="button quiet warns" disabled={erase.isPending} onClick={() => setOpen(true)}>
        {t.erase}
      </button>
      <Dialog title={fill(t.title, { name })} isOpen={isOpen} close={close} isAlert>
        <p>{t.text}</p>
        {mayRemoveResponses && (
          <label className="check">
            <input type="checkbox" checked={responses} onChange={() => setResponses(!responses)} />
            <span>{t.responses}</span>
          </label>
        )}
        <div className="actions">
          <button type="button" className="button" onClick={close}>
            {cancel}
          </button>
          <button type="button" className="button danger" disabled={erase.isPending} onClick={() => erase.mutate()}>
            {t.confirm}
          </button>
        </div>
      </Dialog>
    </>
  );
}
