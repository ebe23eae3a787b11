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
 * Where a paragraph of Word stands in a list, as `mso-list:l0 level1 lfo1`: Word writes lists as paragraphs with a
 * marker in their text. A list that begins again at 1 has the same `l`, but another `lfo`.
 */
const PLACE = /mso-list:\s*(l\d+)(?:\s+level(\d+))?(?:\s+(lfo\d+))?/i;
const MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]';

/** `1.`, `a)` and `iv.` count; everything else is a bullet. */
const NUMBER = /^\(?[\p{L}\p{N}]+[.)]/u;
/** Of `1.2.` the 2: the list around it has the 1. */
const LAST_NUMBER = /(\d+)[.)]?$/;

/** HTML from the clipboard with Word's lists as lists, each of its own kind; everything else as it is. */
export function withWordLists(html: string): string {
  if (!/mso-list/i.test(html)) return html;
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const paragraph of page.querySelectorAll<HTMLElement>('p')) {
    // Those after it were moved into its list.
    if (paragraph.isConnected) gather(paragraph);
  }
  return page.body.innerHTML;
}

const placeOf = (paragraph: Element | null) =>
  paragraph?.matches('p') ? PLACE.exec(paragraph.getAttribute('style') ?? '') : null;

/** Puts an entry and those right after it into lists, by their levels; leaves everything else. */
function gather(first: HTMLElement): void {
  const lists: { level: number; key: string; list: HTMLElement }[] = [];
  let entry: Element | null = first;
  for (let place = placeOf(entry); entry && place; place = placeOf(entry)) {
    const next: Element | null = entry.nextElementSibling;
    const level = Number(place[2] ?? 1);
    const marker = entry.querySelector(MARKER);
    const mark = marker?.textContent?.trim() ?? '';
    const kind = NUMBER.test(mark) ? 'ol' : 'ul';
    const key = `${kind} ${place[1]} ${place[3]}`.toLowerCase();
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

/** More columns or rows than an answer could show. */
const SPAN_MAX = 50;

/** What an answer calls the other levels of headings. */
const HEADINGS = { h1: 'h2', h4: 'h3', h5: 'h3', h6: 'h3' };

/** HTML from the clipboard with the headings, lists and tables of other programs as an answer has them. */
export function asAnswer(html: string): string {
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

/** What an answer cannot have of something pasted or dropped. Word adds a picture of its whole text. */
export function leftOut(data: DataTransfer | null): { pictures: boolean; styles: boolean } {
  const html = data?.getData('text/html') ?? '';
  return {
    pictures: html ? /<img\b/i.test(html) : [...(data?.files ?? [])].some(({ type }) => type.startsWith('image/')),
    styles: /<(s|strike|del|sub|sup)[\s>]|line-through|vertical-align:\s*(sub|super)\b/i.test(html),
  };
}

/** Puts empty cells where a cell reaches over several columns or rows, so that the others stay in their column. */
function fillSpans(table: HTMLTableElement): void {
  /** How many rows more the cell above reaches, for each column. */
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

/** Tables, which come by pasting: their texts can be edited, their rows and columns cannot. */
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
