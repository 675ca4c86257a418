type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element. String children become text nodes, so they are never read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  setAttributes(created, attributes);
  created.append(...children);
  return created;
}

/** True sets an attribute without a value; false and undefined remove it. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : value);
  }
}

const svg = 'http://www.w3.org/2000/svg';

const drawings = {
  chat: 'M12 4c5 0 9 3.2 9 7.3s-4 7.3-9 7.3c-1 0-2-.1-2.9-.4L4.5 20.2l1.1-3.6C4 15.2 3 13.4 3 11.3 3 7.2 7 4 12 4Z',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M4 12l16-8-5 16-3.5-6.5zM11.5 13.5L20 4',
  attach: 'M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.7-7.7',
  file: 'M14 3H7a1.5 1.5 0 0 0-1.5 1.5v15A1.5 1.5 0 0 0 7 21h10a1.5 1.5 0 0 0 1.5-1.5V7.5zM14 3v4.5h4.5',
  down: 'M12 4v12M7 11.5l5 5 5-5M5 20h14',
} as const;

/** A decorative picture. The text or label beside it serves screen readers. */
export function icon(name: keyof typeof drawings): SVGSVGElement {
  const created = document.createElementNS(svg, 'svg');
  setAttributes(created, { viewBox: '0 0 24 24', class: `icon icon-${name}`, 'aria-hidden': 'true' });
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', drawings[name]);
  created.append(path);
  return created;
}
