import type { IntegrationType } from '@orchestrate/shared';
import type { LoginOption } from './option-text.ts';

/** Without a browser there is nothing to remember, and no passkey; LDAP cannot show a code. */
const OF_NETWORK: Partial<Record<IntegrationType, readonly (LoginOption | 'maxCookieLife')[]>> = {
  radius: ['didEnabled', 'desktopAppEnabled'],
  ldap: ['desktopAppEnabled'],
};

/** Whether applications of a type can have a login option. */
export const canHave = (type: IntegrationType, option: LoginOption | 'maxCookieLife'): boolean =>
  OF_NETWORK[type]?.includes(option) ?? true;
