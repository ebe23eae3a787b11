import { t } from '@lingui/core/macro';
import type { IntegrationType } from '@orchestrate/shared';
import type { AppForm } from './app-form.ts';

/** Labels of the editor's side tabs, by path segment (spec 2 §2). */
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
 * Returns the tabs for an application type. 'Configuration' is only for protocols, and 'Access', 'Provisioning' and
 * 'Activity' only for existing applications.
 */
export function tabsOf(type: IntegrationType, isNew: boolean): EditorTab[] {
  // All members can use the portal application.
  const access: EditorTab[] = isNew || type === 'portal' ? [] : ['access', 'provisioning'];
  const common: EditorTab[] = [
    'login-options',
    ...access,
    'name-&-description',
    ...(isNew ? [] : (['history'] as const)),
  ];
  return type === 'portal' ? common : ['configuration', ...common];
}

/** Returns true for tabs that require the permission to configure every application: provisioning and history. */
export const isForAdministrators = (tab: EditorTab): boolean => tab === 'provisioning' || tab === 'history';

/** Returns the tab named by a path's last segment, which may be percent-encoded. */
export function tabFromSegment(segment: string, tabs: readonly EditorTab[]): EditorTab | undefined {
  let plain = segment;
  try {
    plain = decodeURIComponent(segment);
  } catch {
    // If the encoding is invalid, compare the segment unchanged.
  }
  return tabs.find((tab) => tab === plain);
}

/** Returns the tab that contains a field. */
export function tabOfField(field: keyof AppForm): EditorTab {
  if (field === 'name' || field === 'description' || field === 'startUrl') return 'name-&-description';
  if (field === 'users') return 'access';
  return field === 'oidc' || field === 'saml' || field === 'radius' ? 'configuration' : 'login-options';
}
