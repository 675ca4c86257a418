import { useEffect, useRef, useState } from 'react';
import type { Message } from '#lib/client/types.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { assetAddress, isPicture, pictureIn, sizeText } from './files.ts';
import { inboxTexts } from './texts.ts';

/** The files of a message. Pictures are shown if they are not too large, and all files can be downloaded. */
export function Attachments({ files }: { readonly files: Message['attachments'] }) {
  const t = useCatalogue(inboxTexts);
  const locale = useFormatLocale();
  if (files.length === 0) return null;
  return (
    <ul className="inbox-files">
      {files.map(({ id, name, type, size, s3Key }) => (
        <li key={id}>
          <a href={assetAddress(s3Key)} download={name}>
            {isPicture(type) && <Preview address={assetAddress(s3Key)} />}
            <span>
              <span className="visually-hidden">{t.download} </span>
              <bdi>{name}</bdi>
            </span>{' '}
            <small>{sizeText(size, locale)}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A picture, loaded when it comes into view. Nothing is shown of a file that is none, or has too many pixels. */
function Preview({ address }: { readonly address: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string | null>();
  useEffect(() => {
    const left = new AbortController();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void loadPicture(address, left.signal).then(setUrl);
    });
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      left.abort();
    };
  }, [address]);
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  if (url === null) return null;
  return url === undefined ? <span className="inbox-preview" ref={place} /> : <img src={url} alt="" />;
}

async function loadPicture(address: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(address, { signal });
    const picture = answer.ok ? pictureIn(new Uint8Array(await answer.arrayBuffer())) : undefined;
    return picture && !signal.aborted ? URL.createObjectURL(picture) : null;
  } catch {
    // The file can still be saved.
    return null;
  }
}
