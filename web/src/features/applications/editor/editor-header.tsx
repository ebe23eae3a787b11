import { chakra, Flex, Heading, IconButton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { IntegrationType } from '@orchestrate/shared';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#paths.ts';
import { Hint } from '#ui/feedback/hint.tsx';

interface EditorHeaderProps {
  name: string;
  type: IntegrationType;
  /** Content at the end of the header. */
  action?: ReactNode;
}

/** Displays a back button, the application's name and, except for a portal application, its type. */
export function EditorHeader({ name, type, action }: EditorHeaderProps) {
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
