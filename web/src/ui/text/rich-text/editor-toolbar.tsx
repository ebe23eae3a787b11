import { Box, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Editor, useEditorState } from '@tiptap/react';
import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  SquareCode,
  TextQuote,
  Underline,
} from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { ActionButton } from '../../feedback/action-button.tsx';
import { LinkEditor } from './link-editor.tsx';

interface Tool {
  label: string;
  icon: LucideIcon;
  isOn: (editor: Editor) => boolean;
  run: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  { label: t`Bold`, icon: Bold, isOn: (e) => e.isActive('bold'), run: (e) => e.chain().focus().toggleBold().run() },
  {
    label: t`Italic`,
    icon: Italic,
    isOn: (e) => e.isActive('italic'),
    run: (e) => e.chain().focus().toggleItalic().run(),
  },
  {
    label: t`Underline`,
    icon: Underline,
    isOn: (e) => e.isActive('underline'),
    run: (e) => e.chain().focus().toggleUnderline().run(),
  },
  {
    label: t`Heading`,
    icon: Heading2,
    isOn: (e) => e.isActive('heading', { level: 2 }),
    run: (e) => e.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    label: t`Subheading`,
    icon: Heading3,
    isOn: (e) => e.isActive('heading', { level: 3 }),
    run: (e) => e.chain().focus().toggleHeading({ level: 3 }).run(),
  },
  {
    label: t`Bulleted list`,
    icon: List,
    isOn: (e) => e.isActive('bulletList'),
    run: (e) => e.chain().focus().toggleBulletList().run(),
  },
  {
    label: t`Numbered list`,
    icon: ListOrdered,
    isOn: (e) => e.isActive('orderedList'),
    run: (e) => e.chain().focus().toggleOrderedList().run(),
  },
  {
    label: t`Quote`,
    icon: TextQuote,
    isOn: (e) => e.isActive('blockquote'),
    run: (e) => e.chain().focus().toggleBlockquote().run(),
  },
  { label: t`Code`, icon: Code, isOn: (e) => e.isActive('code'), run: (e) => e.chain().focus().toggleCode().run() },
  {
    label: t`Code block`,
    icon: SquareCode,
    isOn: (e) => e.isActive('codeBlock'),
    run: (e) => e.chain().focus().toggleCodeBlock().run(),
  },
];

const LINK = tools.length;

/** Formatting buttons as a single tab stop. Arrow keys move between the buttons. */
export function EditorToolbar({ editor }: { editor: Editor }) {
  const [at, setAt] = useState(0);
  const [isLinking, setIsLinking] = useState(false);
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => [...tools.map(({ isOn }) => isOn(now)), now.isActive('link')],
  });
  const buttonOf = (index: number) => ({
    tabIndex: index === at ? 0 : -1,
    'aria-pressed': active[index] ?? false,
    bg: active[index] ? 'bg.emphasized' : undefined,
    color: active[index] ? 'fg' : undefined,
    onFocus: () => setAt(index),
    // Keeps the text selected when the user presses a button.
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
  });
  return (
    <Box borderBottomWidth="1px" bg="bg.subtle">
      <Flex role="toolbar" aria-label={t`Formatting`} wrap="wrap" gap="0.5" p="1" onKeyDown={moveFocus}>
        {tools.map(({ label, icon: Icon, run }, index) => (
          <ActionButton key={label} label={label} type="button" {...buttonOf(index)} onClick={() => run(editor)}>
            <Icon />
          </ActionButton>
        ))}
        <ActionButton
          label={t`Link`}
          type="button"
          {...buttonOf(LINK)}
          aria-expanded={isLinking}
          onClick={() => setIsLinking(!isLinking)}
        >
          <Link />
        </ActionButton>
      </Flex>
      {isLinking && <LinkEditor editor={editor} onDone={() => setIsLinking(false)} />}
    </Box>
  );
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const next = steps[event.key]?.(
    all.findIndex((button) => button.matches(':focus')),
    all.length,
  );
  if (next === undefined) return;
  event.preventDefault();
  all[next]?.focus();
}
