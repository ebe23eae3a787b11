import { t } from '@lingui/core/macro';
import type { IntegrationType } from '@orchestrate/shared';
import type { AppForm } from './app-form.ts';

/** The side tabs of the editor by their addresses (spec 2 §2). */
export const TAB_LABELS = {
  configuration: t`Configuration`,
  'login-options': t`Login options`,
  access: t`Access`,
  provisioning: t`Provisioning`,
  'name-&-description': t`General info`,
  history: t`Activity`,
} as const;
export type EditorTab = keyof typeof TAB_LABELS;

/**
 * The tabs for a type of application: 'Configuration' only where it speaks a protocol, 'Access', 'Provisioning' and
 * 'History' only once it exists.
 */
export function tabsOf(type: IntegrationType, isNew: boolean): EditorTab[] {
  // Everyone can use the portal.
  const access: EditorTab[] = isNew || type === 'portal' ? [] : ['access', 'provisioning'];
  const common: EditorTab[] = [
    'login-options',
    ...access,
    'name-&-description',
    ...(isNew ? [] : (['history'] as const)),
  ];
  return type === 'portal' ? common : ['configuration', ...common];
}

/** Whether a tab is for people who may configure every application: where people are sent, and who did what. */
export const isForAdministrators = (tab: EditorTab): boolean => tab === 'provisioning' || tab === 'history';

/** The tab named by a path's last segment, with or without percent-encoding. */
export function tabIn(segment: string, tabs: readonly EditorTab[]): EditorTab | undefined {
  let plain = segment;
  try {
    plain = decodeURIComponent(segment);
  } catch {
    // An invalid encoding is compared as it is.
  }
  return tabs.find((tab) => tab === plain);
}

/** The tab that has a field. */
export function tabOfField(field: keyof AppForm): EditorTab {
  if (field === 'name' || field === 'description' || field === 'startUrl') return 'name-&-description';
  if (field === 'users') return 'access';
  return field === 'oidc' || field === 'saml' || field === 'radius' ? 'configuration' : 'login-options';
}
