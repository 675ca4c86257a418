import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#lib/client/api-error.ts';
import { keyState } from '#lib/console/app/areas/access/key-state.ts';
import { allPermissions } from '#lib/console/app/areas/access/permissions/groups.ts';
import {
  grantable,
  keyPresets,
  memberPresets,
  presetOf,
  withPermission,
} from '#lib/console/app/areas/access/permissions/presets.ts';
import { permissionTexts } from '#lib/console/app/areas/access/permissions/texts.ts';
import { errorText, faultText } from '#lib/console/app/data/error-text.ts';
import { defaultPermissions, Permission } from '#lib/domain/access/permission.ts';

const day = 24 * 60 * 60 * 1_000;
const now = Date.parse('2026-05-01T12:00:00Z');
const at = (offset: number) => new Date(now + offset).toISOString();

describe('the permissions of the area', () => {
  it('include every permission once, each with a text', () => {
    expect([...allPermissions].sort()).toEqual([...Permission.options].sort());
    expect(Object.keys(permissionTexts.en).sort()).toEqual([...Permission.options].sort());
  });

  it('begin for a key as the service begins them', () => {
    expect([...keyPresets.website].sort()).toEqual([...defaultPermissions].sort());
  });

  it.each([...Object.entries(keyPresets), ...Object.entries(memberPresets)])(
    'make the preset %s of permissions that exist, each once',
    (_, permissions) => {
      expect(new Set(permissions).size).toBe(permissions.length);
      expect(permissions.filter((permission) => !Permission.options.includes(permission))).toEqual([]);
    },
  );

  it('are recognised as a preset in any order, and as none with one more or less', () => {
    const [first, ...others] = keyPresets.website;
    expect(presetOf(keyPresets, [...others, String(first)])).toBe('website');
    expect(presetOf(keyPresets, others)).toBeUndefined();
    expect(presetOf(keyPresets, [...keyPresets.website, 'audit:event:read'])).toBeUndefined();
    expect(presetOf(memberPresets, [])).toBeUndefined();
  });

  it('do not include managing access in the presets of editors, kitchen and desk', () => {
    const { owner, ...others } = memberPresets;
    expect(owner).toContain('access:member:manage');
    expect(
      Object.values(others)
        .flat()
        .filter((permission) => permission.startsWith('access:') || permission.endsWith(':settings:update')),
    ).toEqual([]);
  });

  it('are given only as far as the giver has them, or the holder has them already', () => {
    expect(
      grantable(['cms:entry:read', 'cms:entry:create', 'cms:entry:delete'], ['cms:entry:read'], ['cms:entry:delete']),
    ).toEqual(['cms:entry:read', 'cms:entry:delete']);
  });

  it('are added and taken away one by one, in the order of the groups', () => {
    expect(withPermission(['cms:entry:read'], 'menu:product:read', true)).toEqual([
      'menu:product:read',
      'cms:entry:read',
    ]);
    expect(withPermission(['cms:entry:read'], 'cms:entry:read', true)).toEqual(['cms:entry:read']);
    expect(withPermission(['cms:entry:read', 'menu:product:read'], 'cms:entry:read', false)).toEqual([
      'menu:product:read',
    ]);
  });
});

describe('the state of a key', () => {
  it.each([
    ['active', null, null],
    ['active', at(15 * day), null],
    ['ending', at(14 * day), null],
    ['ending', at(1), null],
    ['expired', at(0), null],
    ['revoked', null, at(0)],
    ['revoked', at(-1), at(-1)],
    ['active', null, at(1)],
  ] as const)('is %s when it expires %s and is revoked %s', (state, expiresAt, revokedAt) => {
    expect(keyState({ expiresAt, revokedAt }, now)).toBe(state);
  });
});

describe('a refusal', () => {
  const refusal = (status: number, code: string, message: string) =>
    new ApiError(status, { code, message }, new Headers());

  it('names in Arabic the permission that the service names', () => {
    const error = refusal(403, 'permission_denied', 'You lack the permission cms:entry:read-hidden.');
    expect(errorText(error, 'ar')).toContain('cms:entry:read-hidden');
    expect(errorText(error, 'en')).toBe(error.message);
    expect(errorText(refusal(403, 'cross_origin', 'No.'), 'ar')).toBe('غير مسموح لك بهذا.');
  });

  it('explains in both languages that the last manager stays', () => {
    const error = refusal(409, 'last_manager', 'The last active member stays.');
    expect(errorText(error, 'en')).toBe(error.message);
    expect(errorText(error, 'ar')).toMatch(/^\p{Script=Arabic}/u);
  });

  it.each([
    ['required', 'Required.', 'يرجى تعبئة هذا الحقل.'],
    ['type', 'Must be a string.', 'نوع هذه القيمة غير صحيح.'],
    ['max_length', 'Must be at most 254 characters.', 'النص طويل جدًا؛ الحد الأقصى 254.'],
    ['min', 'Must be at least -0.5.', 'يجب ألا تقل القيمة عن -0.5.'],
    ['max_items', 'Must be at most 10,000 ids.', 'العدد أكبر من المسموح؛ الحد الأقصى 10,000.'],
    ['min', 'Must be 2026-01-31 or later.', 'يجب ألا تقل القيمة عن 2026-01-31.'],
    ['max', 'Must be at most 100.', 'يجب ألا تزيد القيمة على 100.'],
    ['max', 'Must be a finite double-precision number.', 'هذه القيمة غير صحيحة.'],
  ])('says the fault %s of a field in Arabic, without its path', (code, rule, arabic) => {
    const fault = { path: 'priceOptions.0.price', code, message: `priceOptions.0.price: ${rule}` };
    expect(faultText(fault, 'en')).toBe(rule);
    expect(faultText(fault, 'ar')).toBe(arabic);
  });
});
