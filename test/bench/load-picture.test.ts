import { expect, it } from '@jest/globals';
import { loadPicture } from './load-picture.ts';

const picture = loadPicture([
  {
    workload: 'list <20> & more',
    services: [
      { service: 'ours', cpu: 1, speed: 400 },
      { service: 'other', cpu: 4, speed: 100 },
    ],
  },
]);
const bars = [...picture.matchAll(/<rect x="(\d+)" y="\d+" width="(\d+)" height="11" rx="2" class="(\w+)"/g)];

it('has bars in proportion to the figures, in one panel each', () => {
  expect(bars.map(([, left, length, name]) => [Number(left), Number(length), name])).toEqual([
    [120, 65, 'ours'],
    [470, 260, 'ours'],
    [120, 260, 'other'],
    [470, 65, 'other'],
  ]);
  for (const figure of ['1', '400', '4', '100']) expect(picture).toContain(`>${figure}</text>`);
});

it('escapes its texts', () => {
  expect(picture).toContain('>list &lt;20> &amp; more</text>');
});
