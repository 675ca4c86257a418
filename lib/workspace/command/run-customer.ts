import { operator } from '#lib/domain/access/audit-event.ts';
import { Failure } from '#lib/domain/failure.ts';
import { eraseCustomer, finishErasing } from '#lib/table/erasing.ts';
import { removeContents } from '#lib/table/removals.ts';
import type { Table } from '#lib/table/table.ts';
import { escapeControlCharacters } from '../escape-control-characters.ts';
import { filesOfOthers, type Person, readPerson } from '../person.ts';
import type { Command } from './command-line.ts';
import { requireWorkspace } from './connection.ts';
import { writeFileWhole } from './run-export.ts';
import { counted, type Terminal } from './terminal.ts';

type CustomerCommand = Extract<Command, { readonly name: `customer ${string}` }>;
type Erase = Extract<CustomerCommand, { readonly name: 'customer erase' }>;

/** `customer export` and `customer erase` (lib/spec/additions.md section 2, "Erasing a person"). */
export async function runCustomer(command: CustomerCommand, table: Table, terminal: Terminal): Promise<void> {
  const { workspaceId, customerId } = command;
  await requireWorkspace(table, workspaceId);
  const person = await readPerson(table, command, customerId);
  if (!person) throw new Failure(`The workspace ${workspaceId} has no customer ${customerId}.`);
  if (command.name === 'customer erase') return erase(command, person, table, terminal);
  const document = documentOf(workspaceId, person);
  if (command.file === undefined) return terminal.write(document);
  await writeFileWhole(command.file, document);
  terminal.print(`Exported customer ${customerId} to ${command.file}: ${countsOf(person)}.`);
}

async function* documentOf(workspaceId: string, person: Person): AsyncGenerator<string> {
  yield `${JSON.stringify({ exportedAt: new Date().toISOString(), workspaceId, ...person }, null, 2)}\n`;
}

async function erase({ customerId, ...command }: Erase, person: Person, table: Table, terminal: Terminal) {
  const { workspaceId, withResponses } = command;
  const kept = await filesOfOthers(table, command, person);
  const going = {
    ...person,
    files: person.files.filter((file) => !kept.includes(file)),
    responses: withResponses ? person.responses : [],
  };
  if (!command.yes && !(await confirm(`Erase customer ${customerId}: ${countsOf(going)}?`, terminal)))
    throw new Failure('Nothing was erased.');
  const author = { actor: operator, requestId: null };
  await eraseCustomer(table, command, { customerId, author, withResponses });
  // A running service would do the rest, too, and looks once more for what was written meanwhile.
  const { email } = person.customer;
  const responses = withResponses && email !== null ? { email } : {};
  await finishErasing(table, { workspaceId, customerId, author, ...responses }, () => true);
  for (const { id, customerId: of } of person.conversations) {
    await removeContents(table, { workspaceId, conversationId: id, customerId: of, isErased: true }, () => true);
  }
  terminal.print(`Erased customer ${customerId}: ${countsOf(going)}.`);
  for (const { id, name } of kept)
    terminal.print(escapeControlCharacters(`Stays: the file ${id} (${name}), which another conversation names.`));
  if (!withResponses)
    for (const { id, formId } of person.responses)
      terminal.print(`Stays: the response ${id} to the form ${formId}, with the same e-mail address (--responses).`);
}

async function confirm(question: string, { ask }: Terminal): Promise<boolean> {
  if (!ask) throw new Failure('Add --yes: without a terminal, the command cannot ask.');
  return ask(question);
}

function countsOf({ conversations, messages, files, responses }: Person): string {
  const counts = { conversation: conversations, message: messages, file: files, response: responses };
  return Object.entries(counts)
    .map(([noun, { length }]) => counted(length, noun))
    .join(', ');
}
