import { Link } from 'wouter';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { DeletedLink } from '../../history/deleted.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { contentPaths } from './paths.ts';
import { useDatabases } from './records.ts';
import { contentTexts } from './texts.ts';

/** All databases, with links to their entries and fields. */
export function Databases() {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const localized = useLocalized();
  const mayManage = useMay('cms:model:manage');
  const mayRead = useMay('cms:entry:read');
  const mayWrite = useMay('cms:entry:create');
  const { data, error, refetch } = useDatabases();
  return (
    <>
      <header className="screen-head">
        <h1>{shared.content}</h1>
        <div className="actions">
          {(mayManage || mayWrite) && <DeletedLink to={contentPaths.deleted} />}
          {mayManage && (
            <Link href={contentPaths.newDatabase} className="button primary">
              {t.newDatabase}
            </Link>
          )}
        </div>
      </header>
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.length === 0 ? (
        <Empty>{t.noDatabases}</Empty>
      ) : (
        <ul className="content-databases">
          {data.map(({ id, name, fields }) => (
            <li key={id} className="card">
              <h2 dir="auto">
                {mayRead ? <Link href={contentPaths.entries(id)}>{localized(name) || id}</Link> : localized(name) || id}
              </h2>
              <p className="hint">
                <code dir="ltr">{id}</code> · {fill(t.fieldCount, { count: fields.length })}
              </p>
              <div className="row">
                {mayRead && (
                  <Link
                    href={contentPaths.entries(id)}
                    className="button small"
                    aria-label={`${t.entries}: ${localized(name)}`}
                  >
                    {t.entries}
                  </Link>
                )}
                {mayManage && (
                  <Link
                    href={contentPaths.database(id)}
                    className="button small quiet"
                    aria-label={`${t.editDatabase}: ${localized(name)}`}
                  >
                    {t.editDatabase}
                  </Link>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
