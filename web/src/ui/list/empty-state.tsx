import { Box, Center, Flex, Heading, Text, VisuallyHidden } from '@chakra-ui/react';
import { type LucideIcon, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  description?: string;
  /** Control for the next step. */
  action?: ReactNode;
  /** Heading level of the title. */
  level?: 'h1' | 'h2' | 'h3';
  /** True to use one row, in one of several cards on a screen. */
  isCompact?: boolean;
}

/** Replaces an empty list, or content that the user can't access, with an icon, a sentence and the next step. */
export function EmptyState({
  icon: Icon,
  title,
  description,
  action,
  level = 'h3',
  isCompact = false,
}: EmptyStateProps) {
  if (isCompact)
    return (
      <Flex align="center" gap="4" px="5" py="5">
        <Center boxSize="10" flexShrink="0" borderRadius="full" bg="bg.muted" color="fg.muted">
          <Icon size={18} strokeWidth={1.5} aria-hidden />
        </Center>
        <Box flex="1" minW="0">
          <Heading as={level} size="sm">
            {title}
          </Heading>
          {description && (
            <Text textStyle="sm" color="fg.muted" textWrap="pretty">
              {description}
            </Text>
          )}
        </Box>
        {action}
      </Flex>
    );
  return (
    <Flex direction="column" align="center" gap="4" px="6" py="12" textAlign="center">
      <Center boxSize="14" borderRadius="full" bg="bg.muted" color="fg.muted" outline="6px solid {colors.bg.subtle}">
        <Icon size={24} strokeWidth={1.5} aria-hidden />
      </Center>
      <Flex direction="column" gap="1" align="center">
        <Heading as={level} size="sm">
          {title}
        </Heading>
        {description && (
          <Text color="fg.muted" maxW="sm" textWrap="balance">
            {description}
          </Text>
        )}
      </Flex>
      {action}
    </Flex>
  );
}

/**
 * Replaces a list without matches. Screen readers announce it, because the focus stays in the search field or filter.
 */
export function NoMatches(props: Omit<EmptyStateProps, 'icon'>) {
  return (
    <>
      <EmptyState {...props} icon={SearchX} />
      <LiveRegion text={[props.title, props.description].filter(Boolean).join('. ')} />
    </>
  );
}

/**
 * Announces a string to screen readers. Sets the string after the region is mounted, or screen readers would skip it.
 */
export function LiveRegion({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('');
  useEffect(() => setAnnounced(text), [text]);
  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
