import { Route, Switch } from 'wouter';
import { Nothing } from '../../ui/states.tsx';
import { Categories } from './categories.tsx';
import { CategoryEditor } from './category-editor.tsx';
import { ProductEditor } from './product-editor.tsx';
import { Products } from './products.tsx';

/** Products and categories of the menu. */
export function Area() {
  return (
    <Switch>
      <Route path="/menu">
        <Products />
      </Route>
      <Route path="/menu/products/new">
        <ProductEditor key="new" id={undefined} />
      </Route>
      <Route path="/menu/products/:id">{({ id }) => <ProductEditor key={id} id={id} />}</Route>
      <Route path="/menu/categories">
        <Categories />
      </Route>
      <Route path="/menu/categories/new">
        <CategoryEditor key="new" id={undefined} />
      </Route>
      <Route path="/menu/categories/:id">{({ id }) => <CategoryEditor key={id} id={id} />}</Route>
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}
