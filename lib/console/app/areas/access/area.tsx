import { Redirect, Route, Switch } from 'wouter';
import { useMay } from '../../data/session-context.tsx';
import { Nothing } from '../../ui/states.tsx';
import { KeyScreen } from './key-editor.tsx';
import { Keys } from './keys.tsx';
import { MemberScreen } from './member-screen.tsx';
import { Members } from './members.tsx';

/** API keys and members of the workspace. */
export function Area() {
  const mayReadKeys = useMay('access:key:read');
  const mayReadMembers = useMay('access:member:read');
  return (
    <Switch>
      <Route path="/access">
        <Redirect to={mayReadKeys ? '/access/keys' : '/access/members'} replace />
      </Route>
      {mayReadKeys && (
        <Route path="/access/keys">
          <Keys />
        </Route>
      )}
      {mayReadKeys && <Route path="/access/keys/:id">{({ id }) => <KeyScreen key={id} id={id} />}</Route>}
      {mayReadMembers && (
        <Route path="/access/members">
          <Members />
        </Route>
      )}
      {mayReadMembers && <Route path="/access/members/:id">{({ id }) => <MemberScreen key={id} id={id} />}</Route>}
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}
