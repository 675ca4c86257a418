import { mailJobId } from '#lib/table/forms/mail-jobs.ts';
import type { ParkedMailJob } from '#lib/table/forms/mail-queue.ts';
import { ParkedMail } from '#lib/table/forms/mail-queue.ts';
import type { Table } from '#lib/table/table.ts';
import { escapeControlCharacters } from '../escape-control-characters.ts';
import { CommandFailure } from './command-failure.ts';
import type { Command } from './command-line.ts';
import { requireWorkspace } from './require-workspace.ts';
import type { Terminal } from './terminal.ts';

/** `mail list`, `mail retry` and `mail discard`: the mails that could not be sent (lib/spec/decisions.md section 5). */
export async function runMail(
  command: Extract<Command, { readonly name: `mail ${string}` }>,
  table: Table,
  terminal: Terminal,
): Promise<void> {
  const { workspaceId } = command;
  await requireWorkspace(table, workspaceId);
  const parked = new ParkedMail(table, { workspaceId });
  if (command.name === 'mail retry') return retry(parked, command.mailId, terminal);
  if (command.name === 'mail discard') return discard(parked, command.mailId, terminal);
  let count = 0;
  for await (const job of parked.list()) {
    terminal.print(describe(job));
    count++;
  }
  if (count === 0) terminal.note('No mail is parked.');
}

/** @param mailId undefined for all mails */
async function retry(parked: ParkedMail, mailId: string | undefined, terminal: Terminal): Promise<void> {
  let count = 0;
  for await (const job of parked.list()) {
    const id = mailJobId(job);
    if (mailId !== undefined && id !== mailId) continue;
    if (!(await parked.retry(job))) continue;
    terminal.print(`Mail ${id} will be retried.`);
    count++;
  }
  if (mailId !== undefined && count === 0) throw notParked(mailId);
  if (count === 0) terminal.note('No mail is parked.');
}

async function discard(parked: ParkedMail, mailId: string, terminal: Terminal): Promise<void> {
  for await (const job of parked.list()) {
    if (mailJobId(job) !== mailId || !(await parked.discard(job))) continue;
    return terminal.print(`Discarded mail ${mailId}.`);
  }
  throw notParked(mailId);
}

const notParked = (mailId: string) => new CommandFailure(`The workspace has no parked mail ${mailId}.`);

function describe(job: ParkedMailJob): string {
  const tries = job.attempts === 1 ? '1 attempt' : `${job.attempts} attempts`;
  return escapeControlCharacters(
    [mailJobId(job), job.recipient, job.formId, tries, `parked ${job.parkedAt}`, job.reason].join('  '),
  );
}
