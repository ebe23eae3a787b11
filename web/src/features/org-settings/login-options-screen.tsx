import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { AppLevelOptions } from './app-level-options.tsx';
import { OrgLevelOptions } from './org-level-options.tsx';

const LEVELS = [
  { value: 'org-level', label: t`Organisation level` },
  { value: 'app-level', label: t`Application level` },
] as const;

/** The ways to sign in, for the whole organisation and for each application (spec 2 §2). */
export default function LoginOptionsScreen({ level }: { level: 'org-level' | 'app-level' }) {
  const navigate = useNavigate();
  return (
    <Flex direction="column" gap="6" maxW="4xl">
      <title>{t`Login Options · Orchestrate`}</title>
      <PageHeader
        title={t`Login Options`}
        description={t`How people sign in, and for how long. Changes apply immediately.`}
      />
      <TabList
        label={t`Level`}
        tabs={LEVELS}
        value={level}
        onChange={(next) =>
          void navigate(next === 'org-level' ? paths.orgLevelLoginOptions : paths.appLevelLoginOptions)
        }
      >
        {level === 'org-level' ? <OrgLevelOptions /> : <AppLevelOptions />}
      </TabList>
    </Flex>
  );
}
