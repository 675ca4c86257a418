import type { accessTexts } from './texts.ts';

type Texts = (typeof accessTexts)['ar'];

/** The names of the fields of a key or a member, by their paths. */
export const labelOf =
  (t: Texts) =>
  (path: string): string => {
    const labels: Readonly<Record<string, string>> = {
      name: t.name,
      email: t.email,
      language: t.language,
      permissions: t.permissions,
      expiresAt: t.expiry,
      revokedAt: t.revoked,
      memberId: t.member,
      active: t.active,
    };
    return labels[path.split('.')[0] ?? ''] ?? path;
  };
