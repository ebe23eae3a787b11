import { Button, Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { linkObstacle } from '@orchestrate/shared';
import type { Editor } from '@tiptap/react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { toast } from '#lib/notices/toaster.ts';

interface LinkEditorProps {
  editor: Editor;
  onDone: () => void;
}

/** An editor for the selected text's link. An empty address removes the link (spec 2 §4). */
export function LinkEditor({ editor, onDone }: LinkEditorProps) {
  const present: unknown = editor.getAttributes('link').href;
  const [address, setAddress] = useState(typeof present === 'string' ? present : '');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const apply = () => {
    const wanted = address.trim();
    const obstacle = wanted === '' ? undefined : linkObstacle(wanted);
    if (obstacle) {
      toast.error(obstacle);
      input.current?.focus();
      return;
    }
    setLink(editor, wanted);
    onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and Escape must not submit the surrounding form or close its dialog.
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') return apply();
    editor.commands.focus();
    onDone();
  };

  return (
    <Flex gap="2" p="2" borderTopWidth="1px" align="center" onKeyDown={onKeyDown}>
      <Input
        ref={input}
        size="sm"
        type="url"
        inputMode="url"
        aria-label={t`Link address`}
        placeholder={'https://'}
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <Button type="button" variant="outline" size="sm" onClick={apply}>
        {present && address.trim() === '' ? t`Remove link` : t`Set link`}
      </Button>
    </Flex>
  );
}

/**
 * Links the selected text, or changes the link at the cursor. If no text is selected and the cursor isn't in a link,
 * inserts the address.
 */
function setLink(editor: Editor, address: string): void {
  const chain = editor.chain().focus().extendMarkRange('link');
  if (address === '') {
    chain.unsetLink().run();
    return;
  }
  const isNothingChosen = editor.state.selection.empty && !editor.isActive('link');
  const link = { type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] };
  if (isNothingChosen) chain.insertContent(link).unsetMark('link').run();
  else chain.setLink({ href: address }).run();
}
