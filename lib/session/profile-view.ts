import * as z from 'zod/mini';
import { ConsoleLanguage } from '#lib/domain/access/member-record.ts';
import { Permission } from '#lib/domain/access/permission.ts';

/** A signed-in member, as the member sees it (lib/spec/additions.md section 6). */
export const ProfileView = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  language: z.nullable(ConsoleLanguage),
  permissions: z.array(Permission),
  workspace: z.object({
    id: z.string(),
    name: z.string(),
    languages: z.array(z.string()),
    defaultLanguage: z.string(),
    currency: z.nullable(z.string()),
    timeZone: z.string(),
  }),
  workspaces: z.array(z.object({ id: z.string(), name: z.string(), memberId: z.string() })),
  session: z.object({ createdAt: z.string(), expiresAt: z.string() }),
});
export type ProfileView = z.infer<typeof ProfileView>;

/** The workspaces of a signed-in person (lib/spec/additions.md section 9, "Membership needs consent"). */
export const MembershipsView = z.object({
  email: z.string(),
  data: z.array(
    z.object({
      workspaceId: z.string(),
      name: z.string(),
      /** Whether the person has to accept or decline. */
      pending: z.boolean(),
      invitedBy: z.nullable(z.string()),
    }),
  ),
});
