import { type ReactNode, useState } from 'react';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../texts/use-texts.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { type TargetSource, useTargets } from './targets.ts';
import type { PickerProps } from './targets-input.tsx';
import { relationTexts } from './texts.ts';

interface Props extends Omit<PickerProps, 'drop'> {
  readonly source: TargetSource;
  readonly label: string;
  readonly many: boolean;
  /** The id of the record itself, which is not offered. */
  readonly except?: string | undefined;
  /** Buttons beside `Done`. */
  readonly children?: ReactNode;
}

/** Searches the possible targets of a relation. */
export function TargetPicker({ label, children, close, ...choice }: Props) {
  const t = useCatalogue(relationTexts);
  return (
    <Dialog title={fill(t.chooseFor, { name: label })} isOpen close={close} isWide>
      <Choice {...choice} close={close} />
      <div className="actions">
        {children}
        <button type="button" className="button primary" onClick={close}>
          {t.done}
        </button>
      </div>
    </Dialog>
  );
}

function Choice({ source, many, ids, choose, close, except }: Omit<Props, 'label' | 'children'>) {
  const t = useCatalogue(relationTexts);
  const shared = useTexts();
  const [q, setQ] = useState('');
  const { list, targets, isAllowed } = useTargets(source, q);
  if (!isAllowed) return <Empty>{t.notAllowedTargets}</Empty>;
  if (list.error) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const offered = targets.filter(({ id }) => id !== except);
  const toggle = (id: string) => {
    if (many) choose(ids.includes(id) ? ids.filter((chosenId) => chosenId !== id) : [...ids, id]);
    else {
      choose([id]);
      close();
    }
  };
  return (
    <div className="stack">
      <SearchBox value={q} onSearch={setQ} label={t.searchTargets} isFirst />
      {list.isPending && <Loading />}
      {!list.isPending && offered.length === 0 && <Empty>{shared.noMatch}</Empty>}
      <ul className="target-choices">
        {offered.map(({ id, name, published }) => (
          <li key={id}>
            <button type="button" className="target-choice" aria-pressed={ids.includes(id)} onClick={() => toggle(id)}>
              <span dir="auto">{name}</span>
              {!published && <span className="tag warns">{t.draft}</span>}
              {ids.includes(id) && <span className="tag good">{t.chosen}</span>}
            </button>
          </li>
        ))}
      </ul>
      <div className="row">
        <MoreButton list={list} />
      </div>
    </div>
  );
}
