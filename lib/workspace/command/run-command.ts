import { Failure } from '#lib/domain/failure.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { inFormOrder } from '#lib/domain/forms/form-view.ts';
import { responsesAsCsv, responsesAsJson } from '#lib/domain/forms/responses-document.ts';
import { filesOfAnswers } from '#lib/forms/answered-files.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { discardParked, type ParkedWork, parkedWork, retryParked } from '#lib/table/due/due-queue.ts';
import { FormResponses } from '#lib/table/forms/form-responses.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import { listWorkspaces } from '#lib/table/list-workspaces.ts';
import { type MailJob, mailJobId } from '#lib/table/mail-jobs.ts';
import type { Table } from '#lib/table/table.ts';
import { databaseTypes } from '../database-types.ts';
import { escapeControlCharacters } from '../escape-control-characters.ts';
import { ApiKeys, type IssuedKey, isPast } from './api-keys.ts';
import type { Command } from './command-line.ts';
import { type Connection, requireWorkspace } from './connection.ts';
import { runCustomer } from './run-customer.ts';
import { runExport, runExportAll } from './run-export.ts';
import { runImport } from './run-import.ts';
import { runMemberInvite } from './run-member.ts';
import { counted, type Terminal } from './terminal.ts';

/** A command that uses the table of a service. */
export type TableCommand = Exclude<Command, { readonly name: 'schema' | `table ${string}` | 'webhook listen' }>;

/** Runs a command on the table of the service it names. @throws Failure */
export async function runCommand(
  command: TableCommand,
  connection: Pick<Connection, 'table' | 'baseUrl' | 'inviter'>,
  terminal: Terminal,
): Promise<void> {
  const { table, baseUrl } = connection;
  switch (command.name) {
    case 'import':
      return runImport(command, table, terminal);
    case 'export':
      return runExport(command, table, terminal);
    case 'export all':
      return runExportAll(command, table, terminal);
    case 'list':
      for (const { id, name, languages } of await listWorkspaces(table))
        terminal.print(escapeControlCharacters(`${id}  ${name}  ${languages.join(',')}`));
      return;
    case 'responses':
      return runResponses(command, table, terminal, baseUrl);
    case 'types':
      return runTypes(command, table, terminal);
    case 'customer export':
    case 'customer erase':
      return runCustomer(command, table, terminal);
    case 'member invite':
      return runMemberInvite(command, connection, terminal);
    case 'mail list':
    case 'mail retry':
    case 'mail discard':
      return runMail(command, table, terminal);
    default:
      return runKeyCommand(command, await ApiKeys.of(table, command.workspaceId), terminal);
  }
}

type KeyCommand = Extract<Command, { readonly name: `key ${string}` }>;

async function runKeyCommand(command: KeyCommand, keys: ApiKeys, terminal: Terminal): Promise<void> {
  switch (command.name) {
    case 'key create':
      return printIssued(await keys.create(command.key), terminal);
    case 'key rotate':
      return printIssued(await keys.rotate(command.keyId, new Date(), command.graceMilliseconds), terminal);
    case 'key revoke': {
      const { id, revokedAt } = await keys.revoke(command.keyId, new Date());
      return terminal.print(`Key ${id} is revoked since ${revokedAt}.`);
    }
    case 'key list':
      for (const key of await keys.list()) terminal.print(describe(key));
  }
}

function printIssued({ key, secret }: IssuedKey, terminal: Terminal): void {
  terminal.print(`Key ${key.id} (${escapeControlCharacters(key.name)}). Its secret, shown this once:`);
  terminal.print(secret);
  if (key.retired) terminal.print(`The old secret stays valid until ${key.retired.until}.`);
}

function describe({ id, name, memberId, permissions, expiresAt, revokedAt, retired }: ApiKeyRecord): string {
  const now = new Date();
  const state = [
    revokedAt && `${isPast(revokedAt, now) ? 'revoked' : 'to be revoked'} ${revokedAt}`,
    expiresAt && `${isPast(expiresAt, now) ? 'expired' : 'expires'} ${expiresAt}`,
    memberId && `member ${memberId}`,
    retired && !isPast(retired.until, now) && `old secret until ${retired.until}`,
  ];
  return [id, escapeControlCharacters(name), permissions.join(',') || 'no permissions', ...state.filter(Boolean)].join(
    '  ',
  );
}

type TypesCommand = Extract<Command, { readonly name: 'types' }>;

/** Prints TypeScript types of a workspace's CMS databases. @throws Failure */
async function runTypes({ workspaceId }: TypesCommand, table: Table, terminal: Terminal): Promise<void> {
  await requireWorkspace(table, workspaceId);
  const { models } = await readCmsSchema(table, { workspaceId });
  terminal.print(databaseTypes([...models.values()]).trimEnd());
}

/**
 * `responses --workspace ID --form SLUG`: prints all responses, with one page of the table in memory.
 * @param baseUrl of the addresses of files, without a slash at its end
 */
async function runResponses(
  { workspaceId, slug, format }: Extract<Command, { readonly name: 'responses' }>,
  table: Table,
  terminal: Terminal,
  baseUrl: string,
): Promise<void> {
  await requireWorkspace(table, workspaceId);
  const form = await new Forms(table, { workspaceId }).findBySlug(slug);
  if (!form) throw new Failure(`The workspace ${workspaceId} has no form ${slug}.`);
  const responses = terminal
    .progress('Reading responses')
    .counting(new FormResponses(table, { workspaceId }).all(form.id));
  await terminal.write(
    format === 'csv'
      ? responsesAsCsv(inFormOrder(form.fields), withFiles(table, workspaceId, responses, baseUrl))
      : responsesAsJson(responses),
  );
}

async function* withFiles(table: Table, workspaceId: string, responses: AsyncIterable<FormResponse>, baseUrl: string) {
  for await (const response of responses) yield* await filesOfAnswers(table, { workspaceId }, [response], baseUrl);
}

type ParkedMail = MailJob & ParkedWork;

/** `mail list`, `mail retry` and `mail discard`: the mails that could not be sent (lib/spec/decisions.md section 5). */
async function runMail(
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
    if (command.name === 'mail list') terminal.print(describeMail(job));
    else if (command.name === 'mail retry' && (await retryParked(table, job)))
      terminal.print(`Mail ${id} will be retried.`);
    else if (command.name === 'mail discard' && (await discardParked(table, job)))
      terminal.print(`Discarded mail ${id}.`);
    else continue;
    count++;
  }
  if (wanted !== undefined && count === 0) throw new Failure(`The workspace has no parked mail ${wanted}.`);
  if (count === 0) terminal.note('No mail is parked.');
}

function describeMail(job: ParkedMail): string {
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
