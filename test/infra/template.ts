import { expect } from '@jest/globals';
import type { Resource } from './synthesize.ts';

// biome-ignore lint/suspicious/noExplicitAny: the template's own shape.
type TemplateJson = any;

/**
 * A template with the questions that tests ask of it, named as in aws-cdk-lib/assertions: loading that within jest
 * takes longer than most test files.
 */
export class Template {
  readonly #json: TemplateJson;

  constructor(json: object) {
    this.#json = json;
  }

  toJSON(): TemplateJson {
    return this.#json;
  }

  /** The resources of a type by their logical ids. */
  findResources(type: string): Record<string, Resource> {
    const all = Object.entries<Resource>(this.#json.Resources);
    return Object.fromEntries(all.filter(([, { Type }]) => Type === type));
  }

  resourceCountIs(type: string, count: number): void {
    expect({ type, ids: Object.keys(this.findResources(type)).length }).toEqual({ type, ids: count });
  }

  /** At least one resource of the type has these properties, and others. */
  hasResourceProperties(type: string, properties: object): void {
    expect(this.#propertiesOf(type)).toContainEqual(containing(properties));
  }

  /** Every resource of the type, of which there is at least one, has these properties, and others. */
  allResourcesProperties(type: string, properties: object): void {
    const all = this.#propertiesOf(type);
    expect(all).not.toEqual([]);
    expect(all).toEqual(all.map(() => containing(properties)));
  }

  #propertiesOf(type: string): readonly unknown[] {
    return Object.values(this.findResources(type)).map(({ Properties }) => Properties);
  }
}

/** Matches what has these members, at every depth, and others; lists are whole. */
function containing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(containing);
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, containing(member)])),
  );
}
