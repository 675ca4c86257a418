import { setMailEnvironment } from './environment.ts';
import { startMailService } from './mail-service.ts';
import { Mailbox } from './mailbox.ts';

/** Starts the local mail service, and sets the environment of functions that are loaded later. */
export async function startMail(accessKeyId: string) {
  const mailbox = new Mailbox();
  const { endpoint, stop } = await startMailService(accessKeyId, mailbox.add);
  setMailEnvironment(endpoint);
  return { endpoint, pages: { mail: mailbox.read, 'DELETE mail': mailbox.empty }, stop };
}
