import { Route, Switch } from 'wouter';
import type { Permission } from '#lib/domain/access/permission.ts';
import { useMay } from '../../data/session-context.tsx';
import { Deleted } from '../../history/deleted.tsx';
import { Permitted } from '../../shell/permitted.tsx';
import { useTexts } from '../../texts/use-texts.tsx';
import { Nothing } from '../../ui/states.tsx';
import { Categories } from './categories.tsx';
import { CategoryEditor } from './category-editor.tsx';
import { ProductEditor } from './product-editor.tsx';
import { Products } from './products.tsx';

/** The list includes the availability of products, so it needs fewer permissions than an editor. */
const products: readonly Permission[] = ['menu:product:manage', 'menu:product:availability'];
const editor: readonly Permission[] = ['menu:product:manage'];
const categories: readonly Permission[] = ['menu:category:manage'];

const deletable: readonly Permission[] = [...editor, ...categories];

/** Products and categories of the menu. */
export function Area() {
  const { menu } = useTexts();
  const mayProducts = useMay('menu:product:manage');
  const kinds = [
    ...(mayProducts ? ['menu-products'] : []),
    ...(useMay('menu:category:manage') ? ['menu-categories'] : []),
  ];
  return (
    <Switch>
      <Route path="/menu">
        <Permitted permissions={products}>
          <Products />
        </Permitted>
      </Route>
      <Route path="/menu/products/:id">
        {({ id }) => (
          <Permitted permissions={editor}>
            <ProductEditor key={id} id={id === 'new' ? undefined : id} />
          </Permitted>
        )}
      </Route>
      <Route path="/menu/categories">
        <Permitted permissions={categories}>
          <Categories />
        </Permitted>
      </Route>
      <Route path="/menu/categories/:id">
        {({ id }) => (
          <Permitted permissions={categories}>
            <CategoryEditor key={id} id={id === 'new' ? undefined : id} />
          </Permitted>
        )}
      </Route>
      <Route path="/menu/deleted">
        <Permitted permissions={deletable}>
          <Deleted kinds={kinds} back={{ to: mayProducts ? '/menu' : '/menu/categories', text: menu }} />
        </Permitted>
      </Route>
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}
