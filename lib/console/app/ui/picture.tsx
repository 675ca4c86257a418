import { useLocalized } from '../data/session-context.tsx';
import { editingTexts } from '../editing/texts.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';

/** An image of a record. */
export interface Image {
  readonly id: string;
  readonly url: string;
  readonly alt?: Readonly<Record<string, string>> | null;
  readonly width?: number | null;
  readonly height?: number | null;
}

/** An image of this service. An image of another host is a link, because no request may leave the origin. */
export function Picture({ image, className = 'picture' }: { readonly image: Image; readonly className?: string }) {
  const t = useCatalogue(editingTexts);
  const localized = useLocalized();
  const url = addressOf(image.url);
  if (url?.origin === location.origin) {
    return <img className={className} src={url.href} alt={localized(image.alt)} loading="lazy" />;
  }
  if (!url || !/^https?:$/.test(url.protocol)) return <span className={`${className} elsewhere`} aria-hidden="true" />;
  return (
    <a className={`${className} elsewhere`} href={url.href} target="_blank" rel="noreferrer noopener">
      <span className="visually-hidden">{fill(t.imageElsewhere, { host: url.host })}</span>
      <span aria-hidden="true" dir="ltr">
        {url.host}
      </span>
    </a>
  );
}

function addressOf(text: string): URL | null {
  try {
    return new URL(text, location.origin);
  } catch {
    return null;
  }
}
