import { picturePixelsMax, pixelsOf, readPicture } from '#lib/domain/files/picture.ts';
import type { MessageFile } from '../chat/store.ts';
import { element, icon } from './elements.ts';
import type { Language } from './language.ts';

/** @throws when the file cannot be read */
export type ReadFile = (file: MessageFile) => Promise<Blob>;

const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const shownBytesMax = 3_000_000;
const widthMax = 480;

/** A file of a message: its name and size, a button that saves it, and a small form of a picture. */
export function fileCard(file: MessageFile, language: Language, read: ReadFile): HTMLElement {
  const name = element('bdi', { class: 'name' }, file.name);
  const size = element('span', { class: 'size' }, sizeText(file.size, language.code));
  // The name of a button contains its visible text, so that a voice command finds it.
  const label = [language.text('download', { name: file.name }), size.textContent].join(' ');
  const button = element('button', { type: 'button', class: 'file', 'aria-label': label });
  button.append(icon('file'), name, ' ', size, icon('down'));
  const problem = element('p', { class: 'note', role: 'status' });
  button.addEventListener('click', async () => {
    problem.textContent = '';
    try {
      save(await read(file), file.name);
    } catch {
      problem.textContent = language.text('downloadFailed', { name: file.name });
    }
  });
  const card = element('div', { class: 'card' }, button, problem);
  if (shownTypes.has(file.type) && file.size <= shownBytesMax) void showPicture(card, file, read);
  return card;
}

/** Draws on a canvas, because the site's policy may forbid images. */
async function showPicture(card: HTMLElement, file: MessageFile, read: ReadFile): Promise<void> {
  try {
    const content = await read(file);
    const header = readPicture(new Uint8Array(await content.arrayBuffer()));
    if (!header || pixelsOf(header) > picturePixelsMax) return;
    const picture = await createImageBitmap(content);
    const scale = Math.min(1, widthMax / picture.width);
    const width = Math.ceil(picture.width * scale);
    const height = Math.ceil(picture.height * scale);
    const canvas = element('canvas', { role: 'img', 'aria-label': file.name, width: `${width}`, height: `${height}` });
    canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
    picture.close();
    card.prepend(canvas);
  } catch {
    // A file that is no valid picture can still be saved.
  }
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function sizeText(bytes: number, language: string): string {
  const [unit, divisor] = bytes < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const);
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: divisor > 1_000 ? 1 : 0 } as const;
  return new Intl.NumberFormat(language, format).format(Math.max(bytes / divisor, bytes > 0 ? 1_000 / divisor : 0));
}
