import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordKind } from '#lib/table/keys.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { jsonDocument, ndjsonDocument } from '#lib/workspace/command/run-export.ts';
import { exportRecords } from '#lib/workspace/export-records.ts';
import { type ImportOptions, type ImportResult, importDocument } from '#lib/workspace/import-document.ts';
import { MemoryTable } from './memory-table.ts';
import { allItems } from './own-table.ts';
import { type Document, testTable } from './world.ts';

export type Encoding = 'json' | 'ndjson';

/** Imports a document text unchanged. */
export async function importText(
  text: string,
  encoding: Encoding,
  options: ImportOptions = {},
  table: Table = testTable(),
): Promise<ImportResult> {
  const directory = await mkdtemp(join(tmpdir(), 'document-text-'));
  const file = join(directory, `workspace.${encoding}`);
  try {
    await writeFile(file, text);
    return await importDocument(table, file, options);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The text of an export. */
export async function exportText(workspaceId: string, encoding: Encoding = 'json'): Promise<string> {
  const write = encoding === 'json' ? jsonDocument : ndjsonDocument;
  return (await Array.fromAsync(write(exportRecords(testTable(), workspaceId)))).join('');
}

/** An export without its time. */
export const withoutTime = (text: string): string => text.replace(/"exportedAt":\s?"[^"]+",\n?/, '');

export const exported = async (workspaceId: string): Promise<Document> => JSON.parse(await exportText(workspaceId));

/** The stored records of a kind, in the order of their ids. It needs one call, and an export sixty. */
export const storedRecords = (workspaceId: string, kind: RecordKind): Promise<Document[]> =>
  Array.fromAsync<Document>(new StoredWorkspace(testTable(), workspaceId).records(kind));

/** Like `exported`, by a scan of a table that only this file uses. It replaces about sixty calls. */
export async function exportedFromScan(workspaceId: string): Promise<Document> {
  const { table } = new MemoryTable(testTable().name, await allItems());
  return JSON.parse((await Array.fromAsync(jsonDocument(exportRecords(table, workspaceId)))).join(''));
}

/** The other encoding of a document: first the workspace, then all kinds in another order. */
export function asLines({ version, workspace, cms, menu, messaging, ...rest }: Document): string {
  const lists: Record<string, readonly object[] | undefined> = {
    notification: rest.notifications,
    message: messaging?.messages,
    cmsEntry: cms?.entries,
    menuProduct: menu?.products,
    apiKey: rest.apiKeys,
    cmsModel: cms?.models,
    conversation: messaging?.conversations,
    menuCategory: menu?.categories,
    member: rest.members,
    form: rest.forms,
    channel: messaging?.channels,
    customer: messaging?.customers,
    agent: messaging?.agents,
    attachment: rest.attachments,
    formResponse: rest.formResponses,
  };
  const lines = Object.entries(lists).flatMap(([kind, list = []]) => list.map((record) => ({ kind, ...record })));
  return [{ kind: 'workspace', version, ...workspace }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}
