import { cmsKinds } from './cms.ts';
import { formKinds, notificationKinds } from './forms.ts';
import { menuKinds } from './menu.ts';
import { messagingKinds } from './messaging.ts';

/** The kinds that the functions `manage-*` write. These functions contain no others. */
export const writtenKinds = { ...cmsKinds, ...menuKinds, ...formKinds, ...messagingKinds, ...notificationKinds };
