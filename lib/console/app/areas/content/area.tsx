import { Route, Switch } from 'wouter';
import { Nothing } from '../../ui/states.tsx';
import { DatabaseEditor } from './database-editor.tsx';
import { Databases } from './databases.tsx';
import { Entries } from './entries.tsx';
import { EntryScreen } from './entry.tsx';

export function Area() {
  return (
    <Switch>
      <Route path="/content">
        <Databases />
      </Route>
      <Route path="/content/databases/new">
        <DatabaseEditor />
      </Route>
      <Route path="/content/databases/edit/:id">{({ id }) => <DatabaseEditor key={id} id={id} />}</Route>
      <Route path="/content/entries/:modelId">{({ modelId }) => <Entries key={modelId} modelId={modelId} />}</Route>
      <Route path="/content/entries/:modelId/new">
        {({ modelId }) => <EntryScreen key={`${modelId}/new`} modelId={modelId} />}
      </Route>
      <Route path="/content/entries/:modelId/edit/:id">
        {({ modelId, id }) => <EntryScreen key={`${modelId}/edit/${id}`} modelId={modelId} id={id} />}
      </Route>
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}
