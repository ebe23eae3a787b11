import { chakra, Flex, IconButton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CircleAlert, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, memo, useCallback, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDeferredWhilePressed } from '#lib/browser/held-values.ts';
import { FieldError } from './form-field.tsx';
import { endsTag, type Tag } from './tags.ts';

interface TagsFieldProps {
  label: string;
  help: string;
  placeholder: string;
  /** Returns the count in words, e.g. `2 addresses`. */
  counted: (count: number) => string;
  /** Error for an invalid tag. */
  invalid: string;
  /** Returns the error shown if `leftOut` tags were dropped because of the limit. */
  tooMany: (leftOut: number) => string;
  isRequired?: boolean;
  inputMode?: 'email' | 'text';
  /** Reserves space for many tags from the start. */
  isTall?: boolean;
  tags: readonly Tag[];
  onTags: (change: (before: Tag[]) => Tag[]) => void;
  /** Typed text that isn't a tag yet. */
  typed: string;
  onTyped: (typed: string) => void;
  /** Adds typed or pasted text. Returns the tags, and how many were dropped because of the limit. */
  add: (tags: readonly Tag[], typed: string) => { tags: Tag[]; leftOut: number };
  /** Returns true if pasted text consists only of complete tags. */
  isComplete: (text: string) => boolean;
  /** Why the value is missing or invalid. */
  error?: string | undefined;
}

/**
 * A field for several short values. A separator, Enter, Tab or leaving the field turns the input into a tag.
 * Backspace in the empty field focuses the last tag, arrow keys move between tags, and Delete or Backspace removes
 * the focused tag.
 */
export function TagsField({ onTags, onTyped, label, invalid, ...props }: TagsFieldProps) {
  // Leaving the field adds a tag, which can make the field taller while a button is being pressed.
  const tags = useDeferredWhilePressed(props.tags);
  const typed = useDeferredWhilePressed(props.typed);
  const error = useDeferredWhilePressed(props.error);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [left, setLeftOut] = useState(0);
  const leftOut = useDeferredWhilePressed(left);
  const wrong = tags.filter(({ isValid }) => !isValid).length;
  const problem = error ?? (wrong > 0 ? invalid : undefined);

  const add = (text: string) => {
    const next = props.add(props.tags, text);
    onTyped('');
    onTags(() => next.tags);
    setLeftOut(next.leftOut);
  };
  const focusTag = useCallback((at: number) => {
    const removers = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [];
    (removers[at] ?? input.current)?.focus();
  }, []);
  const remove = useCallback(
    (text: string) => {
      const removers = [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
      const at = removers.findIndex((remover) => remover.dataset.remove === text);
      flushSync(() => onTags((before) => before.filter((tag) => tag.text !== text)));
      setLeftOut(0);
      focusTag(Math.min(at, removers.length - 2));
    },
    [onTags, focusTag],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0;
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault();
      add(typed);
    }
    if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && isAtStart && tags.length > 0) {
      event.preventDefault();
      focusTag(tags.length - 1);
    }
  };
  const onTagKey = (event: KeyboardEvent<HTMLElement>) => {
    const removers = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-remove]')];
    const at = removers.findIndex((remover) => remover.matches(':focus'));
    if (at < 0) return;
    const to = { ArrowLeft: Math.max(0, at - 1), ArrowRight: at + 1, Home: 0, End: removers.length - 1 }[event.key];
    if (to !== undefined) focusTag(to);
    else if (event.key === 'Delete' || event.key === 'Backspace') removers[at]?.click();
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    // Let the browser paste an incomplete tag as plain text.
    if (!props.isComplete(`${typed}${text}`)) return;
    event.preventDefault();
    add(`${typed}${text}`);
  };

  return (
    <Flex direction="column" gap="1.5">
      <Flex align="baseline" justify="space-between" gap="3">
        <chakra.label htmlFor={id} textStyle="sm" fontWeight="medium">
          {label}
        </chakra.label>
        <Text role="status" textStyle="xs" color="fg.muted">
          {tags.length > 0 && props.counted(tags.length)}
        </Text>
      </Flex>
      <Flex
        ref={list}
        role="group"
        aria-label={label}
        wrap="wrap"
        align="flex-start"
        alignContent="flex-start"
        gap="1.5"
        p="2"
        minH={props.isTall ? '26' : '12'}
        maxH="44"
        overflowY="auto"
        borderWidth="1px"
        borderColor={problem ? 'border.error' : 'border.emphasized'}
        borderRadius="l2"
        bg="bg.panel"
        cursor="text"
        onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
        css={{
          '&:has(> input:focus-visible)': {
            outline: '1px solid {colors.brand.line}',
            borderColor: 'brand.line',
          },
        }}
      >
        {tags.length > 0 && (
          <chakra.ul display="contents" listStyleType="none" onKeyDown={onTagKey}>
            {tags.map((tag) => (
              <TagItem key={tag.text} tag={tag} invalid={invalid} onRemove={remove} />
            ))}
          </chakra.ul>
        )}
        <chakra.input
          ref={input}
          id={id}
          // With type="email", browsers would trim the separators.
          type="text"
          inputMode={props.inputMode ?? 'text'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-required={props.isRequired ? true : undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-note`}
          placeholder={tags.length === 0 ? props.placeholder : undefined}
          value={typed}
          onChange={(event) => (endsTag(event.target.value) ? add(event.target.value) : onTyped(event.target.value))}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => typed.trim() !== '' && add(typed)}
          flex="1"
          minW="44"
          h="7"
          px="1"
          bg="transparent"
          outline="none"
        />
      </Flex>
      <Flex id={`${id}-note`} direction="column" gap="1" textStyle="xs">
        {problem ? (
          <FieldError>{wrong > 1 ? t`${problem} (${wrong} are marked)` : problem}</FieldError>
        ) : (
          <Text color="fg.muted" maxW="72ch" textWrap="pretty">
            {props.help}
          </Text>
        )}
        {leftOut > 0 && <FieldError>{props.tooMany(leftOut)}</FieldError>}
      </Flex>
    </Flex>
  );
}

/** A single tag. Memoised, because there can be a thousand. */
const TagItem = memo(function TagItem(props: { tag: Tag; invalid: string; onRemove: (text: string) => void }) {
  const { tag, invalid, onRemove } = props;
  const { text, isValid } = tag;
  return (
    <chakra.li
      display="inline-flex"
      alignItems="center"
      maxW="full"
      h="7"
      ps="2.5"
      borderRadius="l1"
      bg={isValid ? 'bg.muted' : 'danger.subtle'}
      color={isValid ? 'fg' : 'danger.fg'}
      borderWidth="1px"
      borderColor={isValid ? 'transparent' : 'danger.border'}
      textStyle="sm"
    >
      {!isValid && (
        <chakra.span display="inline-flex" me="1.5">
          <CircleAlert size={13} role="img" aria-label={invalid} />
        </chakra.span>
      )}
      <chakra.span truncate>{text}</chakra.span>
      <IconButton
        data-remove={text}
        variant="ghost"
        size="xs"
        h="6"
        minW="6"
        px="0"
        ms="0.5"
        color="inherit"
        tabIndex={-1}
        aria-label={t`Remove ${text}`}
        onClick={() => onRemove(text)}
      >
        <X />
      </IconButton>
    </chakra.li>
  );
});
