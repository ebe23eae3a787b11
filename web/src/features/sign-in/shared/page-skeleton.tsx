import { Flex, Heading, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { rememberedOrganisation } from '#lib/session/session.ts';
import { BrandPanel } from './brand-panel.tsx';
import { PageFrame } from './page-frame.tsx';

/**
 * Placeholder while the organisation's settings load. Uses the organisation's colour if the browser remembers it, and
 * grey otherwise.
 */
export function PageSkeleton({ orgId }: { orgId: string }) {
  const isRemembered = rememberedOrganisation() === orgId.toLowerCase();
  return (
    <PageFrame isSideOptional side={isRemembered && <BrandPanel orgCode={orgId} />}>
      <Flex role="status" aria-label={t`Loading`} direction="column" gap="6">
        <Skeleton boxSize="12" borderRadius="l3" />
        <Flex direction="column" gap="3">
          <Heading as="h1" srOnly>
            {t`Orchestrate`}
          </Heading>
          <Skeleton h="8" w="56" maxW="full" />
          <Skeleton h="5" w="72" maxW="full" />
        </Flex>
        <Skeleton h="12" />
      </Flex>
    </PageFrame>
  );
}
