import { Route, Switch } from 'wouter';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { Deleted } from '../../history/deleted.tsx';
import { hasHistory } from '../../history/history-calls.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Nothing } from '../../ui/states.tsx';
import { messagingKinds } from './messaging/kinds.ts';
import { MessagingEditor } from './messaging/messaging-editor.tsx';
import { MessagingList } from './messaging/messaging-list.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SettingsTabs } from './settings-tabs.tsx';
import { settingsTexts } from './texts.ts';
import { WebhookList } from './webhooks/webhook-list.tsx';
import { WebhookScreen } from './webhooks/webhook-screen.tsx';
import { WorkspaceForm } from './workspace-form.tsx';
import { WorkspaceChoice } from './workspaces.tsx';

/** The settings of the member and the workspace, and its agents, channels, customers and webhooks. */
export function Area() {
  const { permissions } = useProfile();
  const shown = messagingKinds.filter(({ read }) => permissions.includes(read));
  const { settings } = useTexts();
  const deletable = messagingKinds
    .filter(({ kind, manage }) => hasHistory(kind) && permissions.includes(manage))
    .map(({ kind }) => kind);
  const mayReadWebhooks = permissions.includes('webhooks:webhook:read');
  return (
    <Switch>
      <Route path="/settings">
        <General />
      </Route>
      {shown.map((messagingKind) => (
        <Route key={messagingKind.kind} path={`/settings/${messagingKind.kind}`}>
          <MessagingList key={messagingKind.kind} of={messagingKind} />
        </Route>
      ))}
      {shown.map((messagingKind) => (
        <Route key={messagingKind.kind} path={`/settings/${messagingKind.kind}/:id`}>
          {({ id }) => (
            <MessagingEditor
              key={`${messagingKind.kind}/${id}`}
              of={messagingKind}
              id={id === 'new' ? undefined : id}
            />
          )}
        </Route>
      ))}
      {deletable.length > 0 && (
        <Route path="/settings/deleted">
          <Deleted kinds={deletable} back={{ to: '/settings', text: settings }} />
        </Route>
      )}
      {mayReadWebhooks && (
        <Route path="/settings/webhooks">
          <WebhookList />
        </Route>
      )}
      {mayReadWebhooks && <Route path="/settings/webhooks/:id">{({ id }) => <WebhookScreen key={id} id={id} />}</Route>}
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}

function General() {
  const t = useTexts();
  const settings = useCatalogue(settingsTexts);
  const mayRead = useMay('workspace:settings:read');
  return (
    <>
      <h1>{t.settings}</h1>
      <SettingsTabs />
      <ProfileForm />
      {mayRead && <WorkspaceForm />}
      <p>
        <a href="console/notices.txt" target="_blank" rel="noreferrer">
          {settings.licences}
        </a>
      </p>
    </>
  );
}

/** Shown in place of the console, so it needs no member. */
export const Workspaces = WorkspaceChoice;
