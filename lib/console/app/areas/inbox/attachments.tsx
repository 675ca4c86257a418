import type { Message } from '#lib/client/types.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { assetAddress, isPicture, sizeText } from './files.ts';
import { inboxTexts } from './texts.ts';

/** The files of a message. Pictures are shown, and all files can be downloaded. */
export function Attachments({ files }: { readonly files: Message['attachments'] }) {
  const t = useCatalogue(inboxTexts);
  const locale = useFormatLocale();
  if (files.length === 0) return null;
  return (
    <ul className="inbox-files">
      {files.map(({ id, name, type, size, s3Key }) => (
        <li key={id}>
          <a href={assetAddress(s3Key)} download={name}>
            {isPicture(type) && <img src={assetAddress(s3Key)} alt="" loading="lazy" />}
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
