import { Box, Flex, Text, useFieldContext } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS, linkObstacle, listStart } from '@orchestrate/shared';
import { EditorContent, Node, useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useState } from 'react';
import { formatNumber } from '#lib/format/numbers.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import { richTextStyles } from './rich-text-styles.ts';

/**
 * Matches a paragraph's list and level in Word, such as `mso-list:l0 level1 lfo1`. Word writes lists as paragraphs
 * with a marker in their text. A restarted list has the same `l` but a different `lfo`.
 */
const WORD_LIST_STYLE = /mso-list:\s*(l\d+)(?:\s+level(\d+))?(?:\s+(lfo\d+))?/i;
const MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]';

/** Matches markers of numbered lists: `1.`, `a)`, `iv.`. Any other marker is a bullet. */
const NUMBER = /^\(?[\p{L}\p{N}]+[.)]/u;
/** Matches the last number in a marker: 2 in `1.2.`, where 1 is the number of the outer list. */
const LAST_NUMBER = /(\d+)[.)]?$/;

/** Converts Word's list paragraphs in pasted HTML to lists. Leaves everything else unchanged. */
export function withWordLists(html: string): string {
  if (!/mso-list/i.test(html)) return html;
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const paragraph of page.querySelectorAll<HTMLElement>('p')) {
    // Skip paragraphs that have already been moved into a list, because they are no longer connected.
    if (paragraph.isConnected) gather(paragraph);
  }
  return page.body.innerHTML;
}

const listStyleOf = (paragraph: Element | null) =>
  paragraph?.matches('p') ? WORD_LIST_STYLE.exec(paragraph.getAttribute('style') ?? '') : null;

/** Moves a list paragraph and the list paragraphs directly after it into nested lists by level. */
function gather(first: HTMLElement): void {
  const lists: { level: number; key: string; list: HTMLElement }[] = [];
  let entry: Element | null = first;
  for (let style = listStyleOf(entry); entry && style; style = listStyleOf(entry)) {
    const next: Element | null = entry.nextElementSibling;
    const level = Number(style[2] ?? 1);
    const marker = entry.querySelector(MARKER);
    const mark = marker?.textContent?.trim() ?? '';
    const kind = NUMBER.test(mark) ? 'ol' : 'ul';
    const key = `${kind} ${style[1]} ${style[3]}`.toLowerCase();
    marker?.remove();
    while ((lists.at(-1)?.level ?? 0) > level) lists.pop();
    if (lists.at(-1)?.level === level && lists.at(-1)?.key !== key) lists.pop();
    if (lists.at(-1)?.level !== level) {
      const list = first.ownerDocument.createElement(kind);
      const start = kind === 'ol' && listStart(LAST_NUMBER.exec(mark)?.[1]);
      if (start) list.setAttribute('start', start);
      const above = lists.at(-1)?.list.lastElementChild;
      if (above) above.append(list);
      else entry.before(list);
      lists.push({ level, key, list });
    }
    const item = first.ownerDocument.createElement('li');
    const words = first.ownerDocument.createElement('p');
    words.append(...entry.childNodes);
    item.append(words);
    lists.at(-1)?.list.append(item);
    entry.remove();
    entry = next;
  }
}

/** Maximum column or row span that is expanded. */
const SPAN_MAX = 50;

/** Replacements for heading levels that answers don't support. */
const HEADINGS = { h1: 'h2', h4: 'h3', h5: 'h3', h6: 'h3' };

/** Converts headings, lists and tables pasted from other programs to elements that answers support. */
export function toAnswerHtml(html: string): string {
  const page = new DOMParser().parseFromString(withWordLists(html), 'text/html');
  for (const [from, to] of Object.entries(HEADINGS)) {
    for (const heading of page.querySelectorAll(from)) {
      const renamed = page.createElement(to);
      renamed.append(...heading.childNodes);
      heading.replaceWith(renamed);
    }
  }
  for (const table of page.querySelectorAll('table')) fillSpans(table);
  return page.body.innerHTML;
}

/**
 * Detects unsupported content in pasted or dropped data. Image files count only if there is no HTML, because Word
 * adds an image of the whole text.
 */
export function unsupportedContentOf(data: DataTransfer | null): { pictures: boolean; styles: boolean } {
  const html = data?.getData('text/html') ?? '';
  return {
    pictures: html ? /<img\b/i.test(html) : [...(data?.files ?? [])].some(({ type }) => type.startsWith('image/')),
    styles: /<(s|strike|del|sub|sup)[\s>]|line-through|vertical-align:\s*(sub|super)\b/i.test(html),
  };
}

/** Replaces the columns and rows that a cell spans with empty cells, so that all other cells stay in their columns. */
function fillSpans(table: HTMLTableElement): void {
  /** Remaining rows spanned by the cell above, for each column. */
  const reach: number[] = [];
  for (const row of table.rows) {
    let column = 0;
    const fillReached = (before: Element | null) => {
      for (let rows = reach[column] ?? 0; rows > 0; rows = reach[column] ?? 0) {
        reach[column] = rows - 1;
        row.insertBefore(table.ownerDocument.createElement('td'), before);
        column += 1;
      }
    };
    for (const cell of [...row.cells]) {
      fillReached(cell);
      for (let span = 0; span < Math.min(cell.colSpan, SPAN_MAX); span += 1) {
        if (span > 0) cell.after(table.ownerDocument.createElement('td'));
        reach[column] = Math.min(cell.rowSpan, SPAN_MAX) - 1;
        column += 1;
      }
    }
    fillReached(null);
  }
}

/** Supports pasted tables. Users can edit their text but not their rows and columns. */
const tableNodes = [
  Node.create({
    name: 'table',
    group: 'block',
    content: 'tableRow+',
    isolating: true,
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', ['tbody', 0]],
  }),
  Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)+',
    parseHTML: () => [{ tag: 'tr' }],
    renderHTML: () => ['tr', 0],
  }),
  Node.create({
    name: 'tableCell',
    content: 'block+',
    isolating: true,
    parseHTML: () => [{ tag: 'td' }],
    renderHTML: () => ['td', 0],
  }),
  Node.create({
    name: 'tableHeader',
    content: 'block+',
    isolating: true,
    parseHTML: () => [{ tag: 'th' }],
    renderHTML: () => ['th', 0],
  }),
];

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
      // The server stores only a link's address, so other attributes must not count towards the length here.
      HTMLAttributes: { target: null, rel: null },
    },
  }),
  ...tableNodes,
];

interface RichTextEditorProps {
  /** Accessible name, e.g. 'Answer'. */
  label: string;
  /** Initial content, as HTML. */
  value: string;
  /** Called with the current content as HTML, or '' if there is none. */
  onChange: (html: string) => void;
  onBlur?: () => void;
}

/**
 * An editor for rich text, limited to the tags in `RICH_TEXT_TAGS`. Inside a `FormField`, it is wired up like an
 * input.
 */
export default function RichTextEditor({ label, value, onChange, onBlur }: RichTextEditorProps) {
  const field = useFieldContext();
  const [missing, setMissing] = useState<ReturnType<typeof unsupportedContentOf>>();
  const editor = useEditor({
    extensions,
    content: value,
    // The editor's own style element would violate the content security policy.
    injectCSS: false,
    editorProps: {
      transformPastedHTML: toAnswerHtml,
      handlePaste: (_view, { clipboardData }) => {
        setMissing(unsupportedContentOf(clipboardData));
        return false;
      },
      handleDrop: (_view, { dataTransfer }) => {
        setMissing(unsupportedContentOf(dataTransfer));
        // Handle dropped files here, or the browser would open the file in place of this page.
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
          {missing?.pictures && t`Images were removed because answers can't contain images.`}{' '}
          {missing?.styles && t`Strikethrough, subscript and superscript formatting was removed.`}
        </Text>
        <CharacterCount length={value.length} />
      </Flex>
    </Box>
  );
}

const count = (characters: number) => formatNumber(characters);

/** Shows how many of the allowed characters the stored HTML uses, including formatting. */
function CharacterCount({ length }: { length: number }) {
  const isOver = length > LIMITS.richTextMaxLength;
  return (
    <Text color={isOver ? 'fg.error' : 'fg.muted'} fontWeight={isOver ? 'medium' : undefined}>
      {t`${count(length)} of ${count(LIMITS.richTextMaxLength)} characters, including formatting`}
    </Text>
  );
}
