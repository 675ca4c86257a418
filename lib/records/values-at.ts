import { isObject } from '#lib/domain/input.ts';

export interface ValueAtPath {
  readonly path: string;
  readonly value: unknown;
}

/** All values at a path such as `fields[].options[].label`, one for each list item on the path. */
export function valuesAt(root: unknown, path: string): ValueAtPath[] {
  return path
    .split('.')
    .reduce<ValueAtPath[]>(
      (found, step) => found.flatMap((parent) => membersAt(parent, step)),
      [{ path: '', value: root }],
    );
}

function membersAt({ path, value }: ValueAtPath, step: string): ValueAtPath[] {
  const name = step.replace('[]', '');
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  const at = path === '' ? name : `${path}.${name}`;
  if (name === step) return member === undefined || member === null ? [] : [{ path: at, value: member }];
  return Array.isArray(member) ? member.map((item, index) => ({ path: `${at}.${index}`, value: item })) : [];
}
