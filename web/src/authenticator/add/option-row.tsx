import { Center, chakra, Flex, Icon, Text } from '@chakra-ui/react';
import { ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A visible label for an input that has its own accessible name. */
export function FieldName({ id, children }: { id?: string; children: string }) {
  return (
    <Text {...(id ? { id } : { 'aria-hidden': true })} textStyle="sm" fontWeight="medium">
      {children}
    </Text>
  );
}

/** Props that focus a form's first empty field, even if its sheet is still opening. */
export const autoFocusProps = { autoFocus: true, 'data-autofocus': '' } as const;

interface OptionRowProps {
  /** Custom tile. The default is a grey tile with the icon. */
  tile?: ReactNode;
  icon?: LucideIcon;
  title: string;
  text?: string;
  /** A third line in smaller text. */
  note?: string;
  onClick: () => void;
}

/** A row in a list of options. */
export function OptionRow({ tile, icon: Drawing, title, text, note, onClick }: OptionRowProps) {
  return (
    <chakra.button
      type="button"
      onClick={onClick}
      display="flex"
      alignItems="center"
      gap="3.5"
      w="full"
      minH="16"
      px="3.5"
      py="2.5"
      borderRadius="l3"
      borderWidth="1px"
      borderColor="border"
      bg="bg.panel"
      textAlign="start"
      cursor="pointer"
      outline="0"
      focusVisibleRing="outside"
      transition="background-color 120ms"
      _hover={{ bg: 'bg.muted' }}
    >
      {tile}
      {Drawing && (
        <Center boxSize="9" borderRadius="10px" bg="bg.muted" flexShrink="0">
          <Drawing size={18} strokeWidth={1.75} aria-hidden />
        </Center>
      )}
      <Flex direction="column" flex="1" minW="0">
        <Text fontWeight="semibold" truncate>
          {title}
        </Text>
        {text && (
          <Text textStyle="sm" color="fg.muted">
            {text}
          </Text>
        )}
        {note && (
          <Text textStyle="xs" color="fg.subtle">
            {note}
          </Text>
        )}
      </Flex>
      <Icon color="fg.subtle" flexShrink="0">
        <ChevronRight size={16} aria-hidden />
      </Icon>
    </chakra.button>
  );
}
