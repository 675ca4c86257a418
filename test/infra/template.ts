import { expect } from '@jest/globals';
import type { Resource } from './synthesize.ts';

// biome-ignore lint/suspicious/noExplicitAny: the template has this shape.
type TemplateJson = any;

/**
 * A template with the queries of tests, named as in aws-cdk-lib/assertions. Loading that module within jest takes
 * longer than most test files.
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

  /** Expects that a resource of the type has at least these properties. */
  hasResourceProperties(type: string, properties: object): void {
    expect(this.#propertiesOf(type)).toContainEqual(containing(properties));
  }

  /** Expects that there is a resource of the type, and that all of them have at least these properties. */
  allResourcesProperties(type: string, properties: object): void {
    const all = this.#propertiesOf(type);
    expect(all).not.toEqual([]);
    expect(all).toEqual(all.map(() => containing(properties)));
  }

  #propertiesOf(type: string): readonly unknown[] {
    return Object.values(this.findResources(type)).map(({ Properties }) => Properties);
  }
}

/** Matches objects that have at least these members, at every depth. Lists must be equal. */
function containing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(containing);
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, containing(member)])),
  );
}
