import { t } from '@lingui/core/macro';
import type { listSessions, ReplyOf } from '@orchestrate/shared';
import { describeBrowser } from '@orchestrate/shared/authenticator';
import { formatDateTime } from '../lib/format/dates.ts';
import { dotted } from '../lib/format/dotted.ts';
import { loginModeLabel } from '../login-history/login-mode-label.ts';
import { said } from '../words/said.ts';

/** One sign-in, as the list shows it. */
export interface SignInLine {
  what: 'session' | 'application' | 'browser';
  id: string;
  title: string;
  /** Each a line of its own. */
  facts: string[];
  isThis: boolean;
}

/**
 * The answer of `GET user/sessions` as lines: this session first, then the others, applications, and browsers where
 * wanted.
 */
export function signInLines(
  { sessions, applications, browsers }: ReplyOf<typeof listSessions>,
  { withBrowsers }: { withBrowsers: boolean },
): SignInLine[] {
  const ofSessions = sessions.map(
    ({ id, userAgent, ip, mode, deviceName, createdAt, lastUsedAt, isThis }): SignInLine => ({
      what: 'session',
      id,
      isThis,
      title: said(describeBrowser(userAgent)),
      facts: [
        dotted(loginModeLabel(mode), deviceName, ip),
        t`Since ${formatDateTime(createdAt)}`,
        ...(lastUsedAt === createdAt ? [] : [t`Last used ${formatDateTime(lastUsedAt)}`]),
      ].filter(Boolean),
    }),
  );
  const ofApplications = applications.map(
    ({ id, appName, deviceName, expiresAt }): SignInLine => ({
      what: 'application',
      id,
      title: appName,
      isThis: false,
      facts: [dotted(t`Application`, deviceName), t`Until ${formatDateTime(expiresAt)}`],
    }),
  );
  const ofBrowsers = browsers.map(
    ({ id, userAgent, ip, lastUsedAt }): SignInLine => ({
      what: 'browser',
      id,
      title: said(describeBrowser(userAgent)),
      isThis: false,
      facts: [dotted(t`Remembered browser`, ip), t`Last used ${formatDateTime(lastUsedAt)}`],
    }),
  );
  return [
    ...ofSessions.toSorted((a, b) => Number(b.isThis) - Number(a.isThis)),
    ...ofApplications,
    ...(withBrowsers ? ofBrowsers : []),
  ];
}
