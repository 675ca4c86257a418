import type { ApiKey, Member } from '#lib/client/types.ts';
import { keyCalls, memberCalls } from '../../data/access-calls.ts';
import { useAllRecords } from '../../data/records.ts';
import { useMay } from '../../data/session-context.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { activityTexts } from './texts.ts';

interface NamedActor {
  readonly id: string;
  readonly name: string;
}

/**
 * The possible actors of an event: members and keys that the signed-in member may see, and the operator.
 * @param chosen the actor of the list's filter, who may have been removed
 */
export function useActors(chosen: string | null): readonly NamedActor[] {
  const t = useCatalogue(activityTexts);
  const members = useAllRecords<Member>('members', memberCalls, {}, useMay('access:member:read'));
  const keys = useAllRecords<ApiKey>('api-keys', keyCalls, {}, useMay('access:key:read'));
  const listed = [
    ...(members.data ?? []).map(({ id, name }) => ({ id, name: `${name || id} (${t.byMember})` })),
    ...(keys.data ?? []).map(({ id, name }) => ({ id, name: `${name || id} (${t.byKey})` })),
    { id: 'operator', name: t.byOperator },
  ];
  const isKnown = chosen === null || listed.some(({ id }) => id === chosen);
  return isKnown ? listed : [...listed, { id: chosen, name: chosen }];
}
