import { t } from '@lingui/core/macro';
import type { OrgLoginOptions } from '@orchestrate/shared';
import { formatDuration } from '../lib/format/format-duration.ts';

interface CookieLife {
  seconds: number;
  /** Which setting decides, if it isn't the application's own cookie life. */
  reason?: string;
}

/**
 * How long an application's browsers are really remembered (decision 090), so that every screen says the same.
 * @param own the application's options, its cookie life in seconds
 */
export function cookieLifeOf(
  own: { maxCookieLife: number; forceAuthnEnabled: boolean },
  organisation: Pick<OrgLoginOptions, 'maxCookieLife' | 'forceAuthnEnabled'> | undefined,
): CookieLife {
  if (organisation?.forceAuthnEnabled || own.forceAuthnEnabled) {
    return { seconds: 0, reason: t`Browsers are not remembered, because authentication is forced.` };
  }
  const limit = organisation ? organisation.maxCookieLife * 60 : Number.POSITIVE_INFINITY;
  if (!(own.maxCookieLife > limit)) return { seconds: own.maxCookieLife };
  if (limit === 0) return { seconds: 0, reason: t`The organisation does not remember browsers.` };
  return { seconds: limit, reason: t`The organisation allows at most ${formatDuration(limit)}.` };
}
