import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { documentKinds, documentPathOf, type Kind } from '#lib/kinds/kinds.ts';
import { documentSchema } from '#lib/workspace/document-schema.ts';
import { everyKind } from '#test/support/every-kind.ts';
import { validated } from './document-file.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(documentSchema());

/** The paths at which a document violates the schema. */
function faultsOf(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const specification = (name: string): string => read(`lib/spec/${name}.md`);
const format = read('lib/workspace/format.md');
const page = specification('workspace-document');
const example = JSON.parse((/```jsonc\n([\s\S]*?)```/.exec(page)?.[1] ?? '').replaceAll(/\s+\/\/ .*$/gm, ''));

describe('the JSON Schema of a workspace document', () => {
  it.each<[string, unknown]>([
    ['the demo', JSON.parse(read('lib/local/demo-workspace.json'))],
    ['a document with records of every kind and values of every type', everyKind()],
    ['the example of the specification', example],
    ['a document without records', { version: 1, workspace: everyKind()['workspace'] }],
  ])('takes %s', (_, document) => {
    expect(faultsOf(document)).toEqual([]);
  });

  it.each<[string, (document: MutableDocument) => unknown, string]>([
    ['no version', (document) => delete document['version'], " must have required property 'version'"],
    ['another version', (document) => (document['version'] = 2), '/version must be equal to constant'],
    ['no workspace', (document) => delete document['workspace'], " must have required property 'workspace'"],
    ['an unknown member', (document) => (document['pages'] = []), ' must NOT have additional properties'],
    ['an unknown group', (document) => (document.menu['drinks'] = []), '/menu must NOT have additional properties'],
    ['an unknown member of a record', ({ forms }) => (forms[0]['color'] = 'red'), '/forms/0 must NOT have additional'],
    [
      'a missing member',
      ({ menu }) => delete menu.products[1].slug,
      "/menu/products/1 must have required property 'sl",
    ],
    [
      'a text in place of a number',
      ({ menu }) => (menu.products[0].priceOptions[0].price = '48'),
      '/price must be number',
    ],
    ['a negative price', ({ menu }) => (menu.products[0].priceOptions[0].price = -1), '/price must be >= 0'],
    ['a text that is not localized', ({ menu }) => (menu.categories[0].name = 'Mains'), '/name must be object'],
    ['an unknown field type', ({ cms }) => (cms.models[0].fields[0].type = 'colour'), '/type must be equal to one of'],
    ['a malformed id', ({ messaging }) => (messaging.agents[0].id = 'a/b'), '/id must match pattern'],
    ['a malformed time', ({ attachments }) => (attachments[0].createdAt = 'today'), '/createdAt must match pattern'],
    ['values that are a list', ({ cms }) => (cms.entries[0].values = []), '/values must be object'],
  ])('refuses %s, as an import does', async (_, damage, fault) => {
    const document = everyKind() as MutableDocument;
    damage(document);
    expect(faultsOf(document).join('\n')).toContain(fault);
    expect((await validated(document)).failures).not.toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: each case damages another part of the document.
type MutableDocument = any;

describe('lib/workspace/format.md', () => {
  it.each(documentKinds)('describes %s and names each of its members, as often as objects have it', (kind) => {
    const [introduction, ...sections] = format.split(/^### /m);
    const section = sections.find((text) => headingOf(text).includes(kind)) ?? '';
    const text = `${introduction}${section}`;
    const missing = [...membersOf(kind)].flatMap(([name, objects]) =>
      text.split(`\`${name}\``).length > objects ? [] : [name],
    );
    expect({ kind, isThere: section !== '', missing }).toEqual({ kind, isThere: true, missing: [] });
  });
});

describe('the page of workspace documents', () => {
  it('has an example that an import takes without a warning', async () => {
    const { failures, warnings } = await validated(example);
    expect({ failures, warnings }).toEqual({ failures: [], warnings: [] });
  });

  it('has an example record of every kind', () => {
    const without = documentKinds.filter((kind) => {
      const [group, list] = documentPathOf(kind);
      const records = list === undefined ? example[group] : example[group]?.[list];
      return kind === 'workspace' ? !records : !records?.length;
    });
    expect(without).toEqual([]);
  });
});

const headingOf = (section: string): string[] => (section.split('\n')[0] ?? '').replace(/, in .*/, '').split(', ');

/** All member names in the schema of a kind, with the number of its objects that have them. */
function membersOf(kind: Kind): ReadonlyMap<string, number> {
  const { $defs } = documentSchema() as { $defs: Record<string, object> };
  const names = new Map<string, number>();
  const seen = new Set<string>();
  const visit = (schema: unknown): void => {
    if (Array.isArray(schema)) for (const item of schema) visit(item);
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
    const { $ref, properties = {}, default: _, ...rest } = schema as Record<string, object>;
    for (const [name, value] of Object.entries(properties)) {
      names.set(name, (names.get(name) ?? 0) + 1);
      visit(value);
    }
    for (const value of Object.values(rest)) visit(value);
    const target = typeof $ref === 'string' ? String($ref).slice('#/$defs/'.length) : undefined;
    if (target === undefined || seen.has(target)) return;
    seen.add(target);
    visit($defs[target]);
  };
  visit($defs[kind]);
  return names;
}
