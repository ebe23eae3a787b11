import { Flex, Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type InputOf, listAppActivity, listAppSignIns } from '@orchestrate/shared';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { LATEST_COUNT, LatestActivity } from '#features/audit/shared/latest-activity.tsx';
import { SignInResults } from '#features/sign-ins/shared/sign-in-results.tsx';
import { signInsPath } from '#features/sign-ins/shared/sign-ins-address.ts';
import { usePages } from '#lib/api/use-pages.ts';
import { useRead } from '#lib/api/use-read.ts';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import { useOrgCode } from '../use-applications.ts';

type Status = NonNullable<InputOf<typeof listAppSignIns>['query']>['status'];
const PAGE_SIZE = 10;
const STATUSES = ['Success', 'Failed'] as const;

/** Shows an application's sign-ins and changes. */
export default function HistoryTab({ appId }: { appId: string }) {
  const orgCode = useOrgCode();
  const params = { orgCode, appId };
  const [status, setStatus] = useState<Status>();
  const changes = useRead(listAppActivity, { params, query: { pageSize: LATEST_COUNT } });
  const { pages, ...signIns } = usePages(listAppSignIns, (lastItem) => ({
    params,
    query: { status, pageSize: PAGE_SIZE, lastItem },
  }));
  const records = pages?.flatMap((page) => page.Items);
  return (
    <Flex direction="column" gap="6">
      <Section
        title={t`Sign-ins`}
        isFlush
        aside={
          <Flex gap="4" align="center" wrap="wrap">
            <Link asChild textStyle="sm">
              <RouterLink to={signInsPath({ appId })}>{t`View All`}</RouterLink>
            </Link>
            <Select
              size="sm"
              width="40"
              aria-label={t`Result`}
              value={status ?? ''}
              onChange={({ target }) => setStatus(STATUSES.find((each) => each === target.value))}
            >
              <option value="">{t`All results`}</option>
              {STATUSES.map((each) => (
                <option key={each} value={each}>
                  {each === 'Success' ? t`Success` : t`Failed`}
                </option>
              ))}
            </Select>
          </Flex>
        }
      >
        <SignInResults
          list={{ ...signIns, records }}
          hasApplication={false}
          onClear={status && (() => setStatus(undefined))}
        />
      </Section>
      <LatestActivity read={changes} all={{ objectType: 'application', objectId: appId }} />
    </Flex>
  );
}
