import { Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Link as RouterLink } from 'react-router-dom';
import { LatestLogins } from '../../login-history/latest-logins.tsx';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/section.tsx';

/** Spec 1 §9 asks for the latest entries, and names no number. */
const LATEST = 5;

/** The latest sign-ins of the signed-in person, with the way to all of them. */
export function LoginHistoryPanel({ title = t`Login History` }: { title?: string }) {
  return (
    <Section
      title={title}
      isFlush
      aside={
        <Link asChild textStyle="sm">
          <RouterLink to={paths.loginHistory}>{t`View All`}</RouterLink>
        </Link>
      }
    >
      <LatestLogins count={LATEST} />
    </Section>
  );
}
