import { Route, Switch } from 'wouter';
import { useMay } from '../../data/session-context.tsx';
import { Deleted } from '../../history/deleted.tsx';
import { useTexts } from '../../texts/use-texts.tsx';
import { Nothing } from '../../ui/states.tsx';
import { DatabaseEditor } from './database-editor.tsx';
import { Databases } from './databases.tsx';
import { Entries } from './entries.tsx';
import { EntryScreen } from './entry.tsx';
import { contentPaths } from './paths.ts';

export function Area() {
  const { content } = useTexts();
  const mayEntries = useMay('cms:entry:create');
  const mayModels = useMay('cms:model:manage');
  const kinds = [...(mayEntries ? ['cms-entries'] : []), ...(mayModels ? ['cms-models'] : [])];
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
      <Route path={contentPaths.deleted}>
        <Deleted kinds={kinds} back={{ to: contentPaths.databases, text: content }} />
      </Route>
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}
