import { Link } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { Link as RouterLink } from 'react-router-dom';
import { LatestLogins } from '../../login-history/latest-logins.tsx';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/section.tsx';

/** The latest sign-ins of the signed-in person, with the way to all of them. */
export function LoginHistoryPanel({ title = 'Login History' }: { title?: string }) {
  return (
    <Section
      title={title}
      isFlush
      aside={
        <Link asChild textStyle="sm">
          <RouterLink to={paths.loginHistory}>View All</RouterLink>
        </Link>
      }
    >
      <LatestLogins count={LIMITS.dashboardLoginHistoryCount} />
    </Section>
  );
}
