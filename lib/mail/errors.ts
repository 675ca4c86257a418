/** The mail service is down, slow, throttled or not set up; the same message may be taken later. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
}

/** The mail service will not take this message, now or later. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
