import { useMay } from '../../data/session-context.tsx';
import { useTexts } from '../../texts/use-texts.tsx';
import { ProfileForm } from './profile-form.tsx';
import { WorkspaceForm } from './workspace-form.tsx';

/** The member's own settings, and those of the workspace. */
export function Area() {
  const t = useTexts();
  const mayRead = useMay('workspace:settings:read');
  return (
    <>
      <h1>{t.settings}</h1>
      <ProfileForm />
      {mayRead && <WorkspaceForm />}
    </>
  );
}
