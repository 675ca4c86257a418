import { describe, expect, it } from '@jest/globals';
import { describeFindings } from '#lib/workspace/describe-findings.ts';
import type { Finding } from '#lib/workspace/document-item.ts';

const finding = (id: string, message = 'Must be a number.', path = 'price'): Finding => ({
  kind: 'menuProduct',
  id,
  path,
  message,
  code: 'type',
  location: 'line 1',
  position: 0,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => finding(`p${index}`));

describe('the report of a failed import', () => {
  it('shows a reason with one location on one line', () => {
    expect(describeFindings([finding('p1')])).toEqual(['menuProduct p1 price: Must be a number. (type)']);
  });

  it('shows a reason once, with its count and its first 20 locations', () => {
    const lines = describeFindings([...many(25), finding('other', 'Must be a list.')]);
    expect(lines).toHaveLength(1 + 20 + 1 + 1);
    expect(lines.slice(0, 3)).toEqual([
      'Must be a number. (type, 25 times)',
      '  menuProduct p0 price',
      '  menuProduct p1 price',
    ]);
    expect(lines.slice(-2)).toEqual(['  and 5 more', 'menuProduct other price: Must be a list. (type)']);
  });

  it('takes sentences that differ after a semicolon as one reason, and shows the difference', () => {
    const absent = (id: string) => finding(id, `Must be the id of a menuCategory; there is no ${id}_cat.`);
    expect(describeFindings(['p1', 'p2'].map(absent))).toEqual([
      'Must be the id of a menuCategory. (type, 2 times)',
      '  menuProduct p1 price: there is no p1_cat.',
      '  menuProduct p2 price: there is no p2_cat.',
    ]);
  });

  it('lists everything on request', () => {
    const lines = describeFindings(many(500), { all: true });
    expect(lines).toHaveLength(500);
    expect(lines[499]).toBe('menuProduct p499 price: Must be a number. (type)');
  });

  it('ends even if every location has its own reason', () => {
    const lines = describeFindings(Array.from({ length: 150 }, (_, index) => finding('p', `Reason ${index}.`)));
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe('and 50 more reasons');
  });
});
