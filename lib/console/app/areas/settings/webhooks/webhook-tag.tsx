import { useCatalogue } from '../../../texts/use-texts.tsx';
import { webhookTexts } from './texts.ts';

interface Props {
  readonly enabled: boolean;
  readonly disabledReason: unknown;
}

/** Whether a webhook is on, or why the service has switched it off. */
export function WebhookTag({ enabled, disabledReason }: Props) {
  const t = useCatalogue(webhookTexts);
  if (enabled) return <span className="tag good">{t.on}</span>;
  const isReason = disabledReason === 'gone' || disabledReason === 'failing';
  return <span className={`tag ${isReason ? 'bad' : ''}`}>{isReason ? t[disabledReason] : t.off}</span>;
}
