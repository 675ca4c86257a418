import type { ReactNode } from 'react';
import type { Permission } from '#lib/domain/access/permission.ts';
import { useMay } from '../data/session-context.tsx';
import { useTexts } from '../texts/use-texts.tsx';

interface PermittedProps {
  /** The screen needs one of these; an empty list shows it to all members. */
  readonly permissions: readonly Permission[];
  readonly children: ReactNode;
}

/** A screen, or the names of the permissions that the member lacks. */
export function Permitted({ permissions, children }: PermittedProps) {
  const t = useTexts();
  const may = useMay(...permissions);
  if (may || permissions.length === 0) return children;
  const [before = '', after = ''] = t.missingPermission.split('{permissions}');
  return (
    <div className="state">
      <h1>{t.notPermitted}</h1>
      <p>
        {before}
        <code dir="ltr">{permissions.join(', ')}</code>
        {after}
      </p>
    </div>
  );
}
