import type { Permission } from '#lib/domain/access/permission.ts';
import { useProfile } from '../../../data/session-context.tsx';
import { useField } from '../../../editing/editor-context.tsx';
import { useCatalogue, useTexts } from '../../../texts/use-texts.tsx';
import { Field } from '../../../ui/field.tsx';
import { Options } from '../../../ui/options.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { accessTexts } from '../texts.ts';
import { groupNames, permissionGroups } from './groups.ts';
import { grantable, presetOf, withPermission } from './presets.ts';
import { permissionTexts } from './texts.ts';

interface Props<Name extends string> {
  readonly presets: Readonly<Record<Name, readonly Permission[]>>;
}

/** The permissions of a key or a member: a preset, or single ones. Members cannot grant permissions that they lack. */
export function PermissionsInput<Name extends keyof typeof accessTexts.en>({ presets }: Props<Name>) {
  const t = useCatalogue(accessTexts);
  const shared = useTexts();
  const labels = useCatalogue(permissionTexts);
  const toast = useToast();
  const { permissions: own } = useProfile();
  const { value, set, error } = useField('permissions');
  const chosen = (Array.isArray(value) ? value : []) as readonly string[];
  const groupLabel = { ...shared, access: t.groupAccess };
  const takePreset = (name: string) => {
    const wanted = presets[name as Name];
    if (!wanted) return;
    const granted = grantable(wanted, own, chosen);
    if (granted.length < wanted.length) toast({ text: t.presetPart });
    set(granted);
  };
  return (
    <section className="card stack" aria-label={t.permissions}>
      <h2>{t.permissions}</h2>
      <Field label={t.preset} hint={t.cannotGive} error={error}>
        {(attributes) => (
          <select
            {...attributes}
            value={presetOf(presets, chosen) ?? ''}
            onChange={({ target }) => takePreset(target.value)}
          >
            <option value="">{t.presetOther}</option>
            <Options of={(Object.keys(presets) as Name[]).map((name) => ({ value: name, label: t[name] }))} />
          </select>
        )}
      </Field>
      <div className="access-groups">
        {groupNames.map((group) => (
          <fieldset key={group} className="access-group">
            <legend className="label">{groupLabel[group]}</legend>
            {permissionGroups[group].map((permission) => {
              const isChosen = chosen.includes(permission);
              return (
                <label key={permission} className="access-permission">
                  <input
                    type="checkbox"
                    checked={isChosen}
                    disabled={!isChosen && !own.includes(permission)}
                    onChange={({ target }) => set(withPermission(chosen, permission, target.checked))}
                  />
                  <span>
                    {labels[permission]}
                    <code dir="ltr">{permission}</code>
                  </span>
                </label>
              );
            })}
          </fieldset>
        ))}
      </div>
    </section>
  );
}
