import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { client } from '../../data/client.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { accessTexts } from './texts.ts';

interface Invitation {
  readonly id: string;
  readonly email: string;
  /** Undoes the creation of the member: this toast replaces the one that had it. */
  readonly undo?: ReactNode;
}

/** Makes the identity provider send a member an invitation, and shows the result. */
export function useInvite() {
  const t = useCatalogue(accessTexts);
  const toast = useToast();
  return useMutation({
    mutationFn: ({ id }: Invitation) => client.access.inviteMember(id),
    onSuccess: (_, { email, undo }) => toast({ text: fill(t.invited, { email: shownEmail(email) }), action: undo }),
    onError: useFailureToast(),
  });
}
