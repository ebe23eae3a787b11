import { Flex } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { ActionButton } from '../../ui/action-button.tsx';
import { type FaqItem, nameOf } from './faq-tree.ts';
import { type Direction, moveButtonId } from './use-move.ts';

export interface TreeActions {
  move: (item: FaqItem, direction: Direction) => void;
  edit: (item: FaqItem) => void;
  remove: (item: FaqItem) => void;
}

/** Move up, move down, edit and delete, for any item of the tree. */
export function ItemActions({ item, actions }: { item: FaqItem; actions: TreeActions }) {
  const name = nameOf(item);
  const change = item.kind === 'record' ? 'Edit' : 'Rename';
  return (
    <Flex gap="0.5" flexShrink="0">
      <ActionButton
        id={moveButtonId(item, 'up')}
        label={`Move ${name} up`}
        disabledReason={item.place === 0 ? 'Already the first' : undefined}
        opacity={item.place === 0 ? 0.4 : 1}
        onClick={() => actions.move(item, 'up')}
      >
        <ArrowUp />
      </ActionButton>
      <ActionButton
        id={moveButtonId(item, 'down')}
        label={`Move ${name} down`}
        disabledReason={item.place === item.count - 1 ? 'Already the last' : undefined}
        opacity={item.place === item.count - 1 ? 0.4 : 1}
        onClick={() => actions.move(item, 'down')}
      >
        <ArrowDown />
      </ActionButton>
      <ActionButton label={`${change} ${name}`} onClick={() => actions.edit(item)}>
        <Pencil />
      </ActionButton>
      <ActionButton label={`Delete ${name}`} onClick={() => actions.remove(item)}>
        <Trash2 />
      </ActionButton>
    </Flex>
  );
}
