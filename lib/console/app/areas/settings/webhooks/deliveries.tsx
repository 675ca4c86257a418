import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery } from '#lib/client/types.ts';
import { client } from '../../../data/client.ts';
import { useRefresh } from '../../../data/records.ts';
import { useMay } from '../../../data/session-context.tsx';
import { fill } from '../../../texts/catalogue.ts';
import { useCatalogue, useShownTime, useTexts } from '../../../texts/use-texts.tsx';
import { ButtonsHead, CardTable, Heads } from '../../../ui/card-table.tsx';
import { Cell } from '../../../ui/cell.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Options } from '../../../ui/options.tsx';
import { Empty, Failure, Loading } from '../../../ui/states.tsx';
import { useFailureToast, useToast } from '../../../ui/toasts.tsx';
import { webhookTexts } from './texts.ts';

interface Props {
  readonly id: string;
  readonly isEnabled: boolean;
}

const shownMax = 20;
/** While one is pending, the list follows it. */
const pollMilliseconds = 4_000;

/** What was sent to a webhook last, and what is to be sent. */
export function Deliveries({ id, isEnabled }: Props) {
  const t = useCatalogue(webhookTexts);
  const mayManage = useMay('webhooks:webhook:manage');
  const [isReplaying, setReplaying] = useState(false);
  const refresh = useRefresh();
  const list = useQuery({
    queryKey: [keyOf(id)],
    queryFn: () => client.manage.webhooks.deliveries(id, { limit: shownMax }),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'pending') ? pollMilliseconds : false,
  });
  const toast = useToast();
  const test = useMutation({
    mutationFn: () => client.manage.webhooks.test(id),
    onSuccess: async () => {
      toast({ text: t.testSent });
      await refresh(keyOf(id));
    },
    onError: useFailureToast(),
  });
  const rows = list.data?.data ?? [];
  return (
    <div className="card stack">
      <h2>{t.deliveries}</h2>
      {mayManage && (
        <div className="row">
          <button type="button" className="button" disabled={test.isPending} onClick={() => test.mutate()}>
            {t.test}
          </button>
          <button type="button" className="button" disabled={!isEnabled} onClick={() => setReplaying(true)}>
            {t.replay}
          </button>
        </div>
      )}
      {list.isPending && <Loading />}
      {list.isError && <Failure error={list.error} retry={list.refetch} />}
      {list.isSuccess && rows.length === 0 && <Empty>{t.noDeliveries}</Empty>}
      {rows.length > 0 && (
        <CardTable
          label={t.deliveries}
          heads={
            <>
              <Heads texts={[t.event, t.status, t.lastAttempt, t.nextAttempt]} />
              <ButtonsHead text={t.retry} />
            </>
          }
        >
          {rows.map((delivery) => (
            <Row key={delivery.id} id={id} delivery={delivery} mayRetry={mayManage && isEnabled} />
          ))}
        </CardTable>
      )}
      {isReplaying && <ReplayDialog id={id} close={() => setReplaying(false)} />}
    </div>
  );
}

/** The query key of the deliveries of a webhook. */
const keyOf = (id: string): string => `webhooks/${id}/deliveries`;

const tones = { pending: '', delivered: 'good', failed: 'bad', parked: '' } as const;

interface RowProps {
  readonly id: string;
  readonly delivery: Delivery;
  readonly mayRetry: boolean;
}

function Row({ id, delivery: { id: deliveryId, type, status, attempts, nextAt }, mayRetry }: RowProps) {
  const t = useCatalogue(webhookTexts);
  const shownTime = useShownTime();
  const refresh = useRefresh();
  const retry = useMutation({
    mutationFn: () => client.manage.webhooks.retry(id, deliveryId),
    onSuccess: () => refresh(keyOf(id)),
    onError: useFailureToast(),
  });
  const last = attempts.at(-1);
  const outcome = last?.error === 'http_status' || last?.error == null ? last?.httpStatus : t[last.error];
  return (
    <tr>
      <th scope="row">
        <bdi dir="ltr">{type}</bdi>
      </th>
      <Cell label={t.status}>
        <span className={`tag ${tones[status]}`}>{t[status]}</span>
      </Cell>
      <Cell label={t.lastAttempt}>{last ? `${shownTime(last.at)}, ${outcome}` : '–'}</Cell>
      <Cell label={t.nextAttempt}>{nextAt === null ? '–' : shownTime(nextAt)}</Cell>
      <Cell>
        {mayRetry && (
          <button type="button" className="button quiet" disabled={retry.isPending} onClick={() => retry.mutate()}>
            {t.retry}
          </button>
        )}
      </Cell>
    </tr>
  );
}

const hour = 3_600_000;
const spans = [hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour] as const;

/** Asks since when the events are sent again. */
function ReplayDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const t = useCatalogue(webhookTexts);
  const { cancel } = useTexts();
  const toast = useToast();
  const refresh = useRefresh();
  const [span, setSpan] = useState<number>(spans[0]);
  const replay = useMutation({
    mutationFn: () => client.manage.webhooks.replay(id, { since: new Date(Date.now() - span).toISOString() }),
    onSuccess: async ({ events }) => {
      toast({ text: fill(t.replayed, { count: String(events) }) });
      close();
      await refresh(keyOf(id));
    },
    onError: useFailureToast(),
  });
  const labels = [t.lastHour, t.lastDay, t.lastWeek, t.lastMonth];
  return (
    <Dialog title={t.replayTitle} isOpen close={close}>
      <p>{t.replayText}</p>
      <Field label={t.replaySince}>
        {(attributes) => (
          <select {...attributes} value={span} onChange={({ target }) => setSpan(Number(target.value))}>
            <Options of={spans.map((value, index) => ({ value, label: labels[index] ?? '' }))} />
          </select>
        )}
      </Field>
      <div className="actions">
        <button type="button" className="button" onClick={close}>
          {cancel}
        </button>
        <button type="button" className="button primary" disabled={replay.isPending} onClick={() => replay.mutate()}>
          {t.replay}
        </button>
      </div>
    </Dialog>
  );
}
