import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen } from '@testing-library/react';
import { Editor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { afterEach, expect, test } from 'vitest';
import { fill, user } from '#testing.ts';
import { system } from '#theme.ts';
import { LinkEditor } from './link-editor.tsx';

afterEach(cleanup);

/** Opens the link editor in the middle of a link, submits the address, and returns the resulting HTML. */
async function changeLink(address: string): Promise<{ html: string; isDone: boolean }> {
  const editor = new Editor({
    element: null,
    extensions: [StarterKit.configure({ link: { HTMLAttributes: { target: null, rel: null } } })],
    content: '<p>See <a href="https://acme.test/">the wiki</a>.</p>',
  });
  editor.commands.setTextSelection(7);
  let isDone = false;
  render(
    <ChakraProvider value={system}>
      <LinkEditor
        editor={editor}
        onDone={() => {
          isDone = true;
        }}
      />
    </ChakraProvider>,
  );
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link address' });
  expect(input.value).toBe('https://acme.test/');
  await fill(input, address);
  await user.keyboard('{Enter}');
  return { html: editor.getHTML(), isDone };
}

// covers: spec 2.4.8
test('removes the link if the address is empty', async () => {
  expect(await changeLink('  ')).toEqual({ html: '<p>See the wiki.</p>', isDone: true });
});

test('replaces the address of a link', async () => {
  expect((await changeLink(' https://acme.test/b ')).html).toContain('<a href="https://acme.test/b"');
});

// covers: spec 2.5.21
test.each(['acme.test', 'javascript:alert(1)', 'ftp://acme.test', 'mailto:a@acme.test', 'https://bit.ly/x'])(
  'keeps the link and stays open for %s',
  async (address) => {
    const { html, isDone } = await changeLink(address);
    expect(html).toContain('<a href="https://acme.test/"');
    expect(isDone).toBe(false);
  },
);
