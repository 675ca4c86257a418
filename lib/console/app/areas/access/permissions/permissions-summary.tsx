import type { Permission } from '#lib/domain/access/permission.ts';
import { fill } from '../../../texts/catalogue.ts';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { accessTexts } from '../texts.ts';
import { presetOf } from './presets.ts';

interface Props<Name extends string> {
  readonly presets: Readonly<Record<Name, readonly Permission[]>>;
  readonly permissions: readonly string[];
}

/** The name of the preset, else the number of permissions. */
export function PermissionsSummary<Name extends keyof typeof accessTexts.en>({ presets, permissions }: Props<Name>) {
  const t = useCatalogue(accessTexts);
  const preset = presetOf(presets, permissions);
  const count = fill(t.permissionsCount, { count: permissions.length });
  return <span title={count}>{preset ? t[preset] : count}</span>;
}
