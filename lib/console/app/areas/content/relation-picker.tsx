import { useState } from 'react';
import { useMay } from '../../data/session-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { NewTarget } from './new-target.tsx';
import { modelOfRelation, useTargets } from './targets.ts';
import { contentTexts } from './texts.ts';

interface Props {
  readonly to: string;
  readonly many: boolean;
  readonly ids: readonly string[];
  readonly label: string;
  readonly choose: (ids: readonly string[]) => void;
  readonly close: () => void;
}

/** Searches the records that a relation may name, and makes a new one without leaving the form. */
export function RelationPicker({ to, many, ids, label, choose, close }: Props) {
  const t = useCatalogue(contentTexts);
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('cms:entry:create');
  const modelId = modelOfRelation(to);
  const add = (id: string) => choose(many ? [...ids, id] : [id]);
  const title = fill(t.chooseFor, { name: label });
  if (isCreating && modelId !== undefined) {
    return (
      <Dialog title={t.createNew} isOpen close={() => setCreating(false)} isAlert isWide>
        <NewTarget
          modelId={modelId}
          cancel={() => setCreating(false)}
          created={(id) => {
            add(id);
            close();
          }}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={title} isOpen close={close} isWide>
      <Choice {...{ to, many, ids, close }} choose={choose} />
      <div className="actions">
        {modelId !== undefined && mayCreate && (
          <button type="button" className="button" onClick={() => setCreating(true)}>
            {t.createNew}
          </button>
        )}
        <button type="button" className="button primary" onClick={close}>
          {t.done}
        </button>
      </div>
    </Dialog>
  );
}

function Choice({ to, many, ids, choose, close }: Omit<Props, 'label'>) {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const [q, setQ] = useState('');
  const { list, targets, isAllowed } = useTargets(to, q);
  if (!isAllowed) return <Empty>{t.notAllowedTargets}</Empty>;
  if (list.error) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const toggle = (id: string) => {
    if (many) choose(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
    else {
      choose([id]);
      close();
    }
  };
  return (
    <div className="stack">
      <SearchBox value={q} onSearch={setQ} label={t.searchTargets} />
      {list.isPending && <Loading />}
      {!list.isPending && targets.length === 0 && <Empty>{shared.noMatch}</Empty>}
      <ul className="content-choices">
        {targets.map(({ id, name, published }) => (
          <li key={id}>
            <button type="button" className="content-choice" aria-pressed={ids.includes(id)} onClick={() => toggle(id)}>
              <span dir="auto">{name}</span>
              {!published && <span className="tag">{t.draft}</span>}
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
