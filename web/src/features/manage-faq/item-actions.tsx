import { Box, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ArrowDown, ArrowUp, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { BREAKPOINTS } from '../../theme/pixels.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { type FaqItem, nameOf } from './faq-tree.ts';
import type { Drag } from './use-drag.ts';
import { type Direction, moveButtonId } from './use-move.ts';

export interface TreeActions {
  move: (item: FaqItem, direction: Direction) => void;
  edit: (item: FaqItem) => void;
  remove: (item: FaqItem) => void;
  drag: Drag;
}

/** A handle to drag, move up, move down, edit and delete, for any item of the tree. */
export function ItemActions({ item, actions }: { item: FaqItem; actions: TreeActions }) {
  const name = nameOf(item);
  return (
    <Flex gap="0.5" flexShrink="0" align="center">
      {item.count > 1 && (
        // For a mouse only, and where the name keeps its room: the arrows do the same for everybody.
        <Box
          {...actions.drag.handleOf(item)}
          aria-hidden
          data-handle={name}
          p="2"
          color="fg.muted"
          cursor="grab"
          display="none"
          css={{ [`@media (any-pointer: fine) and (min-width: ${BREAKPOINTS.xs}px)`]: { display: 'block' } }}
        >
          <GripVertical size={16} />
        </Box>
      )}
      <ActionButton
        id={moveButtonId(item, 'up')}
        label={t`Move ${name} up`}
        disabledReason={item.place === 0 ? t`Already the first` : undefined}
        opacity={item.place === 0 ? 0.4 : 1}
        onClick={() => actions.move(item, 'up')}
      >
        <ArrowUp />
      </ActionButton>
      <ActionButton
        id={moveButtonId(item, 'down')}
        label={t`Move ${name} down`}
        disabledReason={item.place === item.count - 1 ? t`Already the last` : undefined}
        opacity={item.place === item.count - 1 ? 0.4 : 1}
        onClick={() => actions.move(item, 'down')}
      >
        <ArrowDown />
      </ActionButton>
      <ActionButton
        label={item.kind === 'record' ? t`Edit ${name}` : t`Rename ${name}`}
        onClick={() => actions.edit(item)}
      >
        <Pencil />
      </ActionButton>
      <ActionButton label={t`Delete ${name}`} onClick={() => actions.remove(item)}>
        <Trash2 />
      </ActionButton>
    </Flex>
  );
}
