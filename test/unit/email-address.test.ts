import { describe, expect, it } from '@jest/globals';
import { memberAddress } from '#lib/domain/access/member.ts';
import { recipientsOf } from '#lib/domain/forms/recipients.ts';
import { identitiesOf } from '#lib/domain/messaging/customer-match.ts';
import { emailAddress } from '#lib/domain/text/email-address.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { textForms } from '#lib/domain/text/text-forms.ts';
import { fc, runs } from '#test/support/fast-check.ts';

const international: [typed: string, stored: string, shown: string][] = [
  ['info@bücher.example', 'info@xn--bcher-kva.example', 'info@bücher.example'],
  ['Info@BÜCHER.Example', 'Info@xn--bcher-kva.example', 'Info@bücher.example'],
  ['info@bu\u0308cher.example', 'info@xn--bcher-kva.example', 'info@bücher.example'],
  ['lina@مطعم.example', 'lina@xn--2gbe8ac.example', 'lina@مطعم.example'],
  ['post@例え。テスト', 'post@xn--r8jz45g.xn--zckzah', 'post@例え.テスト'],
  ['a@straße.example', 'a@xn--strae-oqa.example', 'a@straße.example'],
  ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example', 'a@bücher.example'],
  ['a@रेस्तरां.भारत', 'a@xn--i1b1e9ab2bzb7c7b.xn--h2brj9c', 'a@रेस्तरां.भारत'],
  // A word of two scripts could imitate another domain, so it is shown as it is stored.
  ['a@pаypal.example', 'a@xn--pypal-4ve.example', 'a@xn--pypal-4ve.example'],
  ['o.b+x@mail.example.com', 'o.b+x@mail.example.com', 'o.b+x@mail.example.com'],
];

describe('an e-mail address', () => {
  it.each(international)('%s is stored as %s and shown as %s', (typed, stored, shown) => {
    expect(emailAddress(typed)).toBe(stored);
    expect(emailAddress(stored)).toBe(stored);
    expect(shownEmail(stored)).toBe(shown);
    expect(emailAddress(shown)).toBe(stored);
  });

  it.each([
    ['\u200e\u202alina@bücher.example\u202c\n', 'lina@xn--bcher-kva.example'],
    ['\ufeff a@b.co', 'a@b.co'],
  ])('loses what copying adds: %j', (typed, stored) => expect(emailAddress(typed)).toBe(stored));

  it.each([
    'lína@example.com',
    'лина@example.com',
    'li\u200bna@example.com',
    'lina@exa\u200bmple.com',
    'lina@exa\u00admple.com',
    'lina@bü\u200dcher.example',
    'lina\u200b@example.com',
    '\u200blina@example.com',
    'lina@example.com\u2060',
    'lina@example.com\u0000',
    'li\u202ena@example.com',
    'li\u0000na@example.com',
    'lina@exam\u0007ple.com',
    'lina@exa mple.com',
    'lina@bücher',
    'lina@bücher.',
    'lina@.bücher.example',
    'lina@bü_cher.example',
    'lina@１.２.３.４',
    'lina@[::1]',
    'lina@b%C3%BCcher.example',
    'lina@user:x@bücher.example',
    'lina@bücher.example/path',
    'lina@bücher.example:25',
    'lina@bücher.example?x',
    `lina@${'ü'.repeat(60)}.example`,
    `lina@${'ü'.repeat(900_000)}.example`,
    `${'a'.repeat(65)}@bücher.example`,
    '',
  ])('is not %j', (typed) => expect(emailAddress(typed)).toBeUndefined());

  it('is shown unchanged where it cannot be decoded', () => {
    for (const text of ['', 'a', 'a@', '@b', 'a@xn--', 'a@xn--\u0000', 'xn--bcher-kva@xn--bcher-kva.de'])
      expect(typeof shownEmail(text)).toBe('string');
    expect(shownEmail('xn--bcher-kva@example.com')).toBe('xn--bcher-kva@example.com');
  });

  it('is a fixed point, in ASCII, whatever was typed', () => {
    const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 3 }), (labels) => {
        const stored = emailAddress(`a@${labels.join('.')}`);
        if (stored === undefined) return;
        expect(stored).toMatch(/^a@[a-z0-9.-]+$/);
        expect(emailAddress(stored)).toBe(stored);
        expect(emailAddress(shownEmail(stored))).toBe(stored);
      }),
      runs(5_000),
    );
  });

  it('is the same for members, customers and recipients in every spelling', () => {
    const spellings = ['Info@BÜCHER.example', ' info@xn--bcher-kva.EXAMPLE', 'info@bücher.example'];
    const stored = 'info@xn--bcher-kva.example';
    for (const email of spellings) {
      expect(memberAddress(email)).toBe(stored);
      expect(identitiesOf({ email })).toEqual([{ kind: 'email', value: stored }]);
    }
    expect(recipientsOf(spellings.map((email) => emailAddress(email) ?? ''))).toEqual(['Info@xn--bcher-kva.example']);
  });

  it.each([
    ['bücher', 'xn--bcher-kva'],
    ['@BÜCHER.ex', '@xn--bcher-kva.ex'],
    ['info@', 'info@'],
    ['O.B', 'O.B'],
    ['ü', 'xn--tda'],
    ['\u200b', '\u200b'],
  ])('the part %j is looked for as %j', (piece, stored) => expect(textForms.email.piece(piece)).toBe(stored));
});
