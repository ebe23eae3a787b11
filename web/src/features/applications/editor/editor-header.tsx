import { chakra, Flex, Heading, IconButton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { IntegrationType } from '@orchestrate/shared';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#paths.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import { AppLogo } from '#ui/text/app-logo.tsx';

interface EditorHeaderProps {
  name: string;
  type: IntegrationType;
  /** Logo URL, or null for initials. Absent for a new application. */
  logo?: string | null | undefined;
  /** Content at the end of the header. */
  action?: ReactNode;
}

/** Displays a back button, the application's name and, except for a portal application, its type. */
export function EditorHeader({ name, type, logo, action }: EditorHeaderProps) {
  return (
    <Flex align="center" gap="3" minW="0" wrap="wrap">
      <Flex align="center" gap="3" flex="1 1 14rem" minW="0">
        <Hint text={t`Back to applications`}>
          <IconButton asChild variant="outline" aria-label={t`Back to applications`}>
            <Link to={paths.applications}>
              <ArrowLeft />
            </Link>
          </IconButton>
        </Hint>
        {logo !== undefined && <AppLogo name={name} logo={logo} size="md" />}
        <Heading as="h1" size="xl" minW="0" truncate>
          {name}
          {type !== 'portal' && (
            <>
              {' '}
              <chakra.span color="fg.muted" fontWeight="normal">
                / {type.toUpperCase()}
              </chakra.span>
            </>
          )}
        </Heading>
      </Flex>
      {action && (
        <Flex ms="auto" gap="2.5" flexShrink="0">
          {action}
        </Flex>
      )}
    </Flex>
  );
}
