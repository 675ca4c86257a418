import { isArabic } from '#lib/domain/text/language-tag.ts';
import { html, type MailMessage, mailHtml, originHtml, plainLine, shortened } from './message.ts';

/** A webhook that the service has disabled. */
interface DisabledWebhook {
  readonly webhookId: string;
  readonly url: string;
  readonly reason: 'gone' | 'failing';
  /** Of the recipient. */
  readonly language: string;
  readonly createdAt: string;
}

const english = {
  subject: (address: string) => `Webhook switched off: ${address}`,
  switchedOff: (workspace: string, address: string, at: string) =>
    `The workspace “${workspace}” no longer sends its events to ${address}. The service has switched this webhook off at ${at}.`,
  reasons: {
    gone: 'The receiver has answered 410 Gone: it wants no more events.',
    failing: 'All attempts of the last three days have failed.',
  },
  next: 'When the receiver works again, switch the webhook on in the console, under Settings and Webhooks. Attempts that wait are then made. Events that happen until then are not sent by themselves; “Send earlier events” sends those of the last 30 days.',
  origin: (webhookId: string) => `Webhook ${webhookId}`,
};

const arabic: typeof english = {
  subject: (address) => `أُوقف خطاف الويب: ${address}`,
  switchedOff: (workspace, address, at) =>
    `لم تعد مساحة العمل «${workspace}» ترسل أحداثها إلى ${address}. أوقفت الخدمة خطاف الويب هذا في ${at}.`,
  reasons: {
    gone: 'أجاب المستقبِل بالرمز ‎410 Gone: لا يريد مزيدًا من الأحداث.',
    failing: 'فشلت كل المحاولات في الأيام الثلاثة الأخيرة.',
  },
  next: 'عندما يعمل المستقبِل من جديد، شغّل خطاف الويب في لوحة التحكم ضمن «الإعدادات» ثم «خطافات الويب»، فتُجرى المحاولات المنتظرة. أما الأحداث التي تقع حتى ذلك الحين فلا تُرسل تلقائيًا؛ يرسل «إرسال أحداث سابقة» أحداث آخر 30 يومًا.',
  origin: (webhookId) => `خطاف الويب ${webhookId}`,
};

const charactersMax = 200;

/** The mail about a webhook that the service has disabled (lib/spec/additions.md section 5, "Disabled"). */
export function webhookMail(
  { webhookId, url, reason, language, createdAt }: DisabledWebhook,
  workspaceName: string,
): Omit<MailMessage, 'to'> {
  const words = isArabic(language) ? arabic : english;
  const { host, pathname } = new URL(url);
  // A query may hold a secret of the receiver.
  const address = shortened(plainLine(`${host}${pathname}`), charactersMax);
  const lines = [
    words.switchedOff(shortened(plainLine(workspaceName), charactersMax), address, createdAt),
    words.reasons[reason],
    words.next,
  ];
  const origin = words.origin(webhookId);
  const subject = words.subject(shortened(plainLine(host), charactersMax));
  return {
    replyTo: undefined,
    subject,
    text: [...lines.flatMap((line) => [line, '']), '-- ', origin, ''].join('\n'),
    html: mailHtml(
      isArabic(language) ? 'ar' : 'en',
      subject,
      html`${lines.map((line) => html`<p dir="auto">${line}</p>\n`)}${originHtml(origin)}`,
    ),
  };
}
