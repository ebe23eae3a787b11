import { Box, Flex, Text, useFieldContext } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS, linkObstacle } from '@orchestrate/shared';
import { EditorContent, useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useState } from 'react';
import { formatNumber } from '../../lib/format/number.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import { asAnswer, leftOut } from './pasted-html.ts';
import { richTextStyles } from './rich-text-styles.ts';
import { tableNodes } from './table-nodes.ts';

const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    strike: false,
    horizontalRule: false,
    trailingNode: false,
    dropcursor: false,
    gapcursor: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => !linkObstacle(address),
      // The server keeps only the address, so anything else is not counted here either.
      HTMLAttributes: { target: null, rel: null },
    },
  }),
  ...tableNodes,
];

interface RichTextEditorProps {
  /** Names the text, e.g. 'Answer'. */
  label: string;
  /** Its initial content, as HTML. */
  value: string;
  /** Its present content, as HTML; '' for nothing. */
  onChange: (html: string) => void;
  onBlur?: () => void;
}

/** Edits rich text with exactly the tags of `RICH_TEXT_TAGS`. Inside a `FormField` it is wired like an input. */
export default function RichTextEditor({ label, value, onChange, onBlur }: RichTextEditorProps) {
  const field = useFieldContext();
  const [missing, setMissing] = useState<ReturnType<typeof leftOut>>();
  const editor = useEditor({
    extensions,
    content: value,
    // Its own style element would violate the content security policy.
    injectCSS: false,
    editorProps: {
      transformPastedHTML: asAnswer,
      handlePaste: (_view, { clipboardData }) => {
        setMissing(leftOut(clipboardData));
        return false;
      },
      handleDrop: (_view, { dataTransfer }) => {
        setMissing(leftOut(dataTransfer));
        // The browser would open it instead of this page.
        return (dataTransfer?.files.length ?? 0) > 0;
      },
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, 'aria-required': 'true' },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? '' : changed.getHTML()),
    onBlur: () => onBlur?.(),
  });
  const isInvalid = field?.invalid ?? false;
  return (
    <Box
      borderWidth="1px"
      borderColor={isInvalid ? 'border.error' : 'border.emphasized'}
      borderRadius="l2"
      bg="bg.panel"
      css={{
        '&:has(.ProseMirror:focus-visible)': {
          outline: '2px solid {colors.colorPalette.focusRing}',
          outlineOffset: '-1px',
        },
      }}
      colorPalette="brand"
      overflow="hidden"
    >
      <EditorToolbar editor={editor} />
      <Box
        maxH="72"
        overflowY="auto"
        css={{
          '& .ProseMirror': {
            ...richTextStyles,
            minH: '40',
            px: '3.5',
            py: '3',
            outline: '0',
            whiteSpace: 'pre-wrap',
            cursor: 'text',
          },
        }}
      >
        <EditorContent editor={editor} />
      </Box>
      <Flex justify="flex-end" wrap="wrap" columnGap="4" px="3" py="1.5" borderTopWidth="1px" textStyle="xs">
        <Text role="status" flex="1" color="warning.fg" fontWeight="medium">
          {missing?.pictures && t`Pictures were left out: an answer cannot have any.`}{' '}
          {missing?.styles && t`Strikethrough, subscript and superscript formatting was removed from the text.`}
        </Text>
        <CharacterCount length={value.length} />
      </Flex>
    </Box>
  );
}

const count = (characters: number) => formatNumber(characters);

/** The limit counts the text with its formatting, as it is stored. */
function CharacterCount({ length }: { length: number }) {
  const isOver = length > LIMITS.richTextMaxLength;
  return (
    <Text color={isOver ? 'fg.error' : 'fg.muted'} fontWeight={isOver ? 'medium' : undefined}>
      {t`${count(length)} of ${count(LIMITS.richTextMaxLength)} characters, formatting included`}
    </Text>
  );
}
