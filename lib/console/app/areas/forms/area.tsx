import { Route, Switch } from 'wouter';
import { useMay } from '../../data/session-context.tsx';
import { Deleted } from '../../history/deleted.tsx';
import { useTexts } from '../../texts/use-texts.tsx';
import { Nothing } from '../../ui/states.tsx';
import { FormEditor } from './form-editor.tsx';
import { Forms } from './forms.tsx';
import { formPaths } from './paths.ts';
import { formKind } from './records.ts';
import { Responses, ResponsesOfForm } from './responses.tsx';

/** Forms and their responses. Members who may only read responses see those of all forms. */
export function Area() {
  const { forms } = useTexts();
  const mayManage = useMay('forms:form:manage');
  return (
    <Switch>
      <Route path="/forms">{mayManage ? <Forms /> : <Responses />}</Route>
      <Route path="/forms/new">
        <FormEditor />
      </Route>
      <Route path="/forms/edit/:id">{({ id }) => <FormEditor key={id} id={id} />}</Route>
      <Route path="/forms/responses/:id">{({ id }) => <ResponsesOfForm key={id} id={id} />}</Route>
      {mayManage && (
        <Route path={formPaths.deleted}>
          <Deleted kinds={[formKind]} back={{ to: formPaths.forms, text: forms }} />
        </Route>
      )}
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}
