import { Link } from 'wouter';
import { ApiError } from '#lib/client/api-error.ts';
import { errorText } from '../data/error-text.ts';
import { editingTexts } from '../editing/texts.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useLanguage } from '../texts/use-texts.tsx';

interface Props {
  readonly error: unknown;
  /** The path of a referrer's screen, e.g. for `cms-entries/chefs/chef_1`. Undefined if it has none. */
  readonly hrefOf: (path: string) => string | undefined;
}

/** The maximum number of referrers in an answer. */
const referrersMax = 20;

/** Shows the records that prevent a change, with links. Shows nothing for other errors. */
export function InUse({ error, hrefOf }: Props) {
  const t = useCatalogue(editingTexts);
  const language = useLanguage();
  if (!(error instanceof ApiError) || error.code !== 'in_use') return null;
  return (
    <div className="notice" role="alert">
      <p>{errorText(error, language)}</p>
      {error.errors.length > 0 && (
        <details>
          <summary>
            {fill(t.usedBy, { count: error.errors.length })}
            {error.errors.length === referrersMax && ` ${t.andMore}`}
          </summary>
          <ul>
            {error.errors.map(({ path }) => {
              const href = hrefOf(path);
              const name = path.slice(path.lastIndexOf('/') + 1);
              return (
                <li key={path} dir="ltr">
                  {href === undefined ? name : <Link href={href}>{name}</Link>}
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </div>
  );
}
