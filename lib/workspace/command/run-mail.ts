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
  const parked = parkedWork(table, 'mail', workspaceId) as AsyncGenerator<ParkedMail>;
  if (command.name === 'mail retry') return retry(table, parked, command.mailId, terminal);
  if (command.name === 'mail discard') return discard(table, parked, command.mailId, terminal);
  let count = 0;
  for await (const job of parked) {
    terminal.print(describe(job));
    count++;
  }
  if (count === 0) terminal.note('No mail is parked.');
}

/** @param mailId undefined for all mails */
async function retry(
  table: Table,
  parked: AsyncIterable<ParkedMail>,
  mailId: string | undefined,
  terminal: Terminal,
): Promise<void> {
  let count = 0;
  for await (const job of parked) {
    const id = mailJobId(job);
    if (mailId !== undefined && id !== mailId) continue;
    if (!(await retryParked(table, job))) continue;
    terminal.print(`Mail ${id} will be retried.`);
    count++;
  }
  if (mailId !== undefined && count === 0) throw notParked(mailId);
  if (count === 0) terminal.note('No mail is parked.');
}

async function discard(
  table: Table,
  parked: AsyncIterable<ParkedMail>,
  mailId: string,
  terminal: Terminal,
): Promise<void> {
  for await (const job of parked) {
    if (mailJobId(job) !== mailId || !(await discardParked(table, job))) continue;
    return terminal.print(`Discarded mail ${mailId}.`);
  }
  throw notParked(mailId);
}

const notParked = (mailId: string) => new CommandFailure(`The workspace has no parked mail ${mailId}.`);

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
