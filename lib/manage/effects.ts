import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import { recipientsOf } from '#lib/domain/forms/recipients.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { type Agent, AgentTool } from '#lib/domain/messaging/agent.ts';
import type { Customer } from '#lib/domain/messaging/customer.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import type { EditRules, ManageRequest } from './managed-record.ts';

// A write needs the permissions for what it brings about, not only those of its kind (lib/spec/additions.md section 2,
// "Effects").

export type Authorize = NonNullable<EditRules['authorize']>;

/** @throws 403 */
export function requirePermission({ principal }: ManageRequest, permission: Permission, reason = ''): void {
  if (effectivePermissions(principal).has(permission)) return;
  throw lacksPermission(permission, principal.kind, reason);
}

/** A recipient of a form gets all answers by mail. @throws 403 */
export const requireToReadResponses: Authorize = (request, before, after) => {
  const recipients = (form: JsonObject | undefined): string[] =>
    recipientsOf((form as unknown as Form | undefined)?.notifications.emails ?? []).map((email) => email.toLowerCase());
  const former = new Set(recipients(before));
  if (recipients(after).some((email) => !former.has(email))) requirePermission(request, 'forms:response:read');
};

/** What an agent may tell to everybody who writes to it. */
const readBy: Readonly<Record<AgentTool, Permission | undefined>> = {
  search_menu: 'menu:product:read',
  get_product: 'menu:product:read',
  list_categories: 'menu:category:read',
  search_cms: 'cms:entry:read',
  get_form: 'forms:form:read',
  hand_over: undefined,
};

/** An agent reads what its tools find, for its readers. @throws 403 */
export const requireReach: Authorize = (request, before, after) => {
  const former = before as unknown as Agent | undefined;
  const { tools = AgentTool.options, databases } = after as unknown as Agent;
  const had = (tool: AgentTool): boolean => former !== undefined && (former.tools ?? AgentTool.options).includes(tool);
  const isWider = (tool: AgentTool): boolean =>
    !had(tool) || (tool === 'search_cms' && addsDatabase(former?.databases, databases));
  for (const tool of tools) {
    const permission = readBy[tool];
    if (permission !== undefined && isWider(tool)) requirePermission(request, permission);
  }
};

/** Without a list, an agent may search all databases. */
const addsDatabase = (former: Agent['databases'], next: Agent['databases']): boolean =>
  former !== undefined && (next === undefined || next.some((id) => !former.includes(id)));

/** A visitor's session opens the conversations of the customer with its external id. @throws 403 */
export const requireToReadConversations: Authorize = (request, before, after) => {
  const idOf = (customer: JsonObject): string => (customer as unknown as Customer).externalId?.trim() ?? '';
  if (!before || idOf(after) === '' || idOf(after) === idOf(before)) return;
  requirePermission(request, 'messaging:conversation:read');
};
