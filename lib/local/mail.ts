import { setMailEnvironment } from './environment.ts';
import { startMailService } from './mail-service.ts';
import { Mailbox } from './mailbox.ts';

/** Starts what takes mail on this machine, and leads functions that are loaded after that to it. */
export async function startMail(accessKeyId: string) {
  const mailbox = new Mailbox();
  const { endpoint, stop } = await startMailService(accessKeyId, mailbox.add);
  setMailEnvironment(endpoint);
  return { endpoint, pages: { mail: mailbox.read, 'DELETE mail': mailbox.empty }, stop };
}
