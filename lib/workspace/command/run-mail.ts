import { discardParked, type ParkedWork, parkedWork, retryParked } from '#lib/table/due/due-queue.ts';
import { type MailJob, mailJobId } from '#lib/table/mail-jobs.ts';
import type { Table } from '#lib/table/table.ts';
import { escapeControlCharacters } from '../escape-control-characters.ts';
import { CommandFailure } from './command-failure.ts';
import type { Command } from './command-line.ts';
import { requireWorkspace } from './require-workspace.ts';
import { counted, type Terminal } from './terminal.ts';

type ParkedMail = MailJob & ParkedWork;

/** `mail list`, `mail retry` and `mail discard`: the mails that could not be sent (lib/spec/decisions.md section 5). */
export async function runMail(
  command: Extract<Command, { readonly name: `mail ${string}` }>,
  table: Table,
  terminal: Terminal,
): Promise<void> {
  const { workspaceId } = command;
  await requireWorkspace(table, workspaceId);
  const wanted = command.name === 'mail list' ? undefined : command.mailId;
  let count = 0;
  for await (const job of parkedWork(table, 'mail', workspaceId) as AsyncGenerator<ParkedMail>) {
    const id = mailJobId(job);
    if (wanted !== undefined && id !== wanted) continue;
    if (command.name === 'mail list') terminal.print(describe(job));
    else if (command.name === 'mail retry' && (await retryParked(table, job)))
      terminal.print(`Mail ${id} will be retried.`);
    else if (command.name === 'mail discard' && (await discardParked(table, job)))
      terminal.print(`Discarded mail ${id}.`);
    else continue;
    count++;
  }
  if (wanted !== undefined && count === 0) throw new CommandFailure(`The workspace has no parked mail ${wanted}.`);
  if (count === 0) terminal.note('No mail is parked.');
}

function describe(job: ParkedMail): string {
  return escapeControlCharacters(
    [
      mailJobId(job),
      job.recipient,
      job.kind === 'form_response' ? job.formId : job.webhookId,
      counted(job.attempts, 'attempt'),
      `parked ${job.parkedAt}`,
      job.failure,
    ].join('  '),
  );
}
